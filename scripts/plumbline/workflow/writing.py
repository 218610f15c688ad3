"""What the rules of derived benchmarks ask: their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.workflow.constraints import none_of, one_of
from plumbline.workflow.writing_settings import derived_benchmarks

if TYPE_CHECKING:
    from plumbline.workflow.file_names import ForWildcards, Wildcards
    from plumbline.workflow.flow import Flow


class WritingFlow:
    """The flow of a run, as the rules of derived benchmarks see it."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.config = flow.config
        self._derived = derived_benchmarks(flow.config)

    @property
    def derived(self) -> str:
        """A wildcard's constraint: the derived benchmarks."""
        return one_of(self._derived)

    @property
    def read(self) -> str:
        """A wildcard's constraint: all other benchmarks."""
        return none_of(self._derived)

    def base_of(self, kind: str) -> ForWildcards:
        """The instances or the labels that a benchmark is derived from."""
        return lambda wildcards: f"results/{kind}/{self._derived[wildcards.benchmark].of}.parquet"

    @property
    def exemplified(self) -> str:
        """A wildcard's constraint: the derived benchmarks with rated examples."""
        return one_of(name for name, benchmark in self._derived.items() if benchmark.examples.count)

    def examples_of(self, wildcards: Wildcards) -> list[str]:
        """The rated examples that a benchmark takes."""
        taken = self._derived[wildcards.benchmark].examples.count
        return [f"results/examples/{wildcards.benchmark}.parquet"] if taken else []

    def written_of(self, wildcards: Wildcards) -> list[str]:
        """What models wrote about them."""
        benchmark = self._derived[wildcards.benchmark]
        models = dict.fromkeys(text.model for text in benchmark.written.values())
        return [f"results/texts/{benchmark.of}/{model}.parquet" for model in models]
