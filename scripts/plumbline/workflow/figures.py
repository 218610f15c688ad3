"""What `rules/figures.smk` asks: the figures of tables, and what those that compare judges need."""

from __future__ import annotations

from plumbline.workflow.cells import Cells
from plumbline.workflow.context import Parts, RuleModule, Wildcards

DRAWN = ("svg", "pdf")
CRITICAL = "critical"
"""The figure that compares judges instance by instance."""


class Figures(RuleModule):
    def of(self, paper: str, table: str) -> list[str]:
        """The pictures that are drawn of a table."""
        home = f"results/figures/{paper}/{table}"
        return [f"{home}/{kind}.{form}" for kind in self.run.resolved.table(paper, table).figures for form in DRAWN]

    def compared(self, wildcards: Wildcards) -> list[str]:
        """What a figure that compares judges needs besides the cells."""
        cells = Cells(self.run)
        if wildcards.kind != CRITICAL:
            return []
        return [*cells.instances(wildcards), *cells.labels(wildcards), *cells.verdicts(wildcards)]

    def parts(self, wildcards: Wildcards) -> Parts:
        """What such a figure uses of each judge's verdicts."""
        return Cells(self.run).parts(wildcards) if wildcards.kind == CRITICAL else {}
