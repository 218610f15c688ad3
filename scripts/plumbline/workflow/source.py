"""What `rules/source.smk` asks: where a source is declared."""

from __future__ import annotations

from pathlib import Path

from plumbline.workflow.context import RuleModule, Wildcards


class Source(RuleModule):
    @staticmethod
    def kept(name: str) -> str:
        """The file that keeps what was fetched with the results."""
        return f"results/source/{name}.zip"

    def register(self, wildcards: Wildcards) -> list[str]:
        """A source's entry in the register, its pins, and the file itself where it is one of yours.

        What somebody gave may be gone once it was read: what was made of it stands.
        """
        source = self.run.known(self.run.config.source, wildcards.source, "source")
        pins = [f"config/source/{source.pins}"] if source.pins else []
        is_gone = source.holder and not Path(source.path).exists()
        own = [source.path] if source.path and not is_gone else []
        return [f"config/source/{wildcards.source}.yaml", *pins, *own]
