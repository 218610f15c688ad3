"""What `rules/source.smk` asks: where a source is declared."""

from __future__ import annotations

from plumbline.workflow.context import RuleModule, Wildcards


class Source(RuleModule):
    def register(self, wildcards: Wildcards) -> list[str]:
        """A source's entry in the register, its pins, and the file itself where it is one of yours."""
        source = self.run.known(self.run.config.source, wildcards.source, "source")
        pins = [f"config/source/{source.pins}"] if source.pins else []
        return [f"config/source/{wildcards.source}.yaml", *pins, *([source.path] if source.path else [])]
