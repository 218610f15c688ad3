"""What `rules/people.smk` asks: the journals of those who label a benchmark."""

from __future__ import annotations

from plumbline.config.labelling import journals_of
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.context import Groups, RuleModule, Wildcards


def journals(resolved: Resolved) -> dict[str, list[str]]:
    """By benchmark its journals: one that comes or goes is a change, whichever file is newer."""
    labelled = {name: one.labelling for name, one in resolved.nodes.items() if one.labelling}
    return {name: journals_of(name, labelling) for name, labelling in labelled.items()}


SETTINGS: Groups = {"journals": journals}


class People(RuleModule):
    def journals(self, wildcards: Wildcards) -> list[str]:
        """What people said, a file a rater."""
        benchmark = self.run.benchmark(wildcards.benchmark)
        files = journals_of(wildcards.benchmark, benchmark.labelling) if benchmark.labelling else []
        if not files:
            raise PlumblineError(
                f"nobody has labelled {wildcards.benchmark!r} yet",
                do=f"plumbline label {wildcards.benchmark} --rater NAME",
            )
        return files

    def collected(self, wildcards: Wildcards) -> list[str]:
        """What people said of a benchmark, put together; nothing where nobody has said anything."""
        labelling = self.run.benchmark(wildcards.benchmark).labelling
        people = labelling and journals_of(wildcards.benchmark, labelling)
        return [f"results/people/{wildcards.benchmark}.parquet"] if people else []
