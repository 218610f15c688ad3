"""What `rules/cells.smk` asks: what a table measures on, and which measures it uses."""

from __future__ import annotations

from typing import Any

from plumbline.config.parts import of_answers
from plumbline.measuring.picked_options import modules_of
from plumbline.records.closure import Code, code_of
from plumbline.workflow.composing import sets
from plumbline.workflow.composing.resolved import ByTable, Resolved
from plumbline.workflow.context import ForWildcards, Groups, Parts, RuleModule, Wildcards, parquet

BOOTSTRAP = ("seed", "replicates", "level")
"""What an experiment sets for intervals."""


class Cells(RuleModule):
    def instances(self, wildcards: Wildcards) -> list[str]:
        return parquet("instances", self._benchmarks(wildcards))

    def labels(self, wildcards: Wildcards) -> list[str]:
        return parquet("labels", self._benchmarks(wildcards))

    def verdicts(self, wildcards: Wildcards) -> list[str]:
        return self.run.as_used(self.parts(wildcards))

    def parts(self, wildcards: Wildcards) -> Parts:
        """What a table uses of the verdicts of each judge: the other protocols may come and go."""
        used: Parts = {}
        for benchmark, model, protocol in self.run.resolved.needed[self._place(wildcards)]:
            used.setdefault(f"results/verdicts/{benchmark}/{model}.parquet", []).append(protocol)
        return used

    def declaration(self, wildcards: Wildcards) -> list[str]:
        """The file of a table that measures nothing yet: without any input, Snakemake never makes a file again."""
        waits = not self._benchmarks(wildcards)
        return [f"config/table/{wildcards.paper}/{wildcards.table}.yaml"] if waits else []

    def _benchmarks(self, wildcards: Wildcards) -> list[str]:
        return self.run.resolved.measured_on[self._place(wildcards)]

    def _place(self, wildcards: Wildcards) -> tuple[str, str]:
        """The table; one that nobody declares is refused."""
        self.run.table(wildcards)
        return wildcards.paper, wildcards.table

    def code(self, script: str) -> ForWildcards:
        """A script's closure with the measures of its table, and all plugins that register some of them."""

        def closure(wildcards: Wildcards) -> Code:
            plugins = self.run.get(f"plugins.table.{wildcards.paper}.{wildcards.table}")
            modules = dict.fromkeys([*modules_of(self.run.table(wildcards)), *plugins])
            return code_of(script, list(modules), complete=True)

        return closure


def measured(resolved: Resolved) -> ByTable:
    """By table what decides its cells."""
    return resolved.by_table(lambda paper, name: of_answers(resolved.table(paper, name)))


def built(resolved: Resolved) -> ByTable:
    """By table which of its subsets are sets that are built here, and whether people reviewed them."""
    return resolved.by_table(lambda paper, name: sets.built_of(resolved.config, resolved.table(paper, name)))


def bootstrap(resolved: Resolved) -> dict[str, Any]:
    return {name: getattr(resolved.config.experiment, name) for name in BOOTSTRAP}


SETTINGS: Groups = {"measured": measured, "built": built, "bootstrap": bootstrap}
