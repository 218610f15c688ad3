"""What `rules/decisions.smk` asks: the files in which people decided."""

from __future__ import annotations

from plumbline.config.benchmark import DerivedBenchmark
from plumbline.derive.derivation import needs_of
from plumbline.records.errors import PlumblineError
from plumbline.workflow.context import RuleModule, Wildcards


class Decisions(RuleModule):
    def files(self, wildcards: Wildcards) -> list[str]:
        """What people decided on the pairs of a set."""
        benchmark = self.run.benchmark(wildcards.benchmark)
        files = list(needs_of(benchmark).files) if isinstance(benchmark, DerivedBenchmark) else []
        if not files:
            raise PlumblineError(
                f"nobody has decided on {wildcards.benchmark!r} yet",
                do="review the set and name the decisions file in its `decisions`, or ask for its unreviewed.parquet",
            )
        return files
