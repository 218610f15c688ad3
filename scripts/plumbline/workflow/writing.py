"""What the rules of written texts and derived benchmarks ask: their files and code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plumbline.asking import parser
from plumbline.models import kinds
from plumbline.records.closure import Code, code_of
from plumbline.records.errors import PlumblineError
from plumbline.workflow.constraints import none_of, one_of
from plumbline.workflow.writing_settings import derived_benchmarks
from plumbline.writing.settings import kinds_of_parsers, options_of, uses_of
from plumbline.writing.step import StepName, module_of

if TYPE_CHECKING:
    from plumbline.workflow.file_names import ForWildcards, Wildcards
    from plumbline.workflow.flow import Flow


class WritingFlow:
    """The flow of a run, as the rules of written texts see it."""

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

    def transcripts_of(self, wildcards: Wildcards) -> list[str]:
        return self.flow.shards("write", wildcards, wildcards.model)

    def prompts_of(self, wildcards: Wildcards) -> list[str]:
        """The wordings of a model's steps."""
        names = {StepName.parse(step).wording for step in self._steps(wildcards)}
        return [self.flow.wording(name) for name in sorted(names)]

    def code(self, script: str, engine: bool = False) -> ForWildcards:
        """A script's closure with the steps that it asks for or reads, and the engine that is asked."""

        def closure(wildcards: Wildcards) -> Code:
            steps = self._steps(wildcards)
            modules = {module_of(options_of(self.config, step).step) for step in steps}
            modules |= {parser.module_of(kind) for step in steps for kind in kinds_of_parsers(self.config, step)}
            kind = self.config.engine[self.config.model[wildcards.model].engine].kind
            asked = [kinds.module_of(kind)] if engine else []
            own = self.flow.resolved.get(f"plugins.writing.{wildcards.benchmark}.{wildcards.model}")
            return code_of(script, list(dict.fromkeys([*sorted(modules), *asked, *own])))

        return closure

    # derived benchmarks

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
        return self.flow.as_used(self.steps_of(wildcards))

    def steps_of(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """What a derived benchmark takes of that: other steps may come and go."""
        benchmark = self._derived[wildcards.benchmark]
        used: dict[str, list[str]] = {}
        for use in uses_of(self.config, benchmark):
            used.setdefault(f"results/written/{benchmark.of}/{use.model}.parquet", []).append(use.step)
        return used

    def _steps(self, wildcards: Wildcards) -> list[str]:
        models = self.flow.resolved.writing.get(wildcards.benchmark, {})
        if wildcards.model not in models:
            raise PlumblineError(
                f"nothing takes what {wildcards.model!r} writes about {wildcards.benchmark!r}",
                do="name the model under `written` of a benchmark with `loader: derived`, or in a set",
            )
        return list(models[wildcards.model])
