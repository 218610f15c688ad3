"""What `rules/source.smk` asks: where a source is declared."""

from __future__ import annotations

from pathlib import Path

from plumbline.config import source as config
from plumbline.sources.source import files_below, read_pins
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
        is_given = source.holder or source.printed_in
        is_there = source.path and (not is_given or Path(source.path).exists())
        return [f"config/source/{wildcards.source}.yaml", *pins, *(own_files(source, pins) if is_there else [])]


def own_files(source: config.Source, pins: list[str]) -> list[str]:
    """A file of one's own, those of a folder, or those that one wrote and pinned."""
    if not source.printed_in:
        return [str(file) for _, file in files_below(Path(source.path))] or [source.path]
    return [f"{source.path}/{file}" for name in pins for file in read_pins(Path(name))]
