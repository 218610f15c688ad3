"""What the rules `read`, `derive` and `decisions` ask: which files a benchmark is made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from plumbline.asking.program import KINDS, Stated
from plumbline.config.benchmark import Benchmark, DerivedBenchmark, ReadBenchmark
from plumbline.config.engine import ComposedSettings
from plumbline.data import loader
from plumbline.derive import derivation, derived_judge
from plumbline.derive.derivation import needs_of
from plumbline.derive.needs import Needs
from plumbline.models import kinds
from plumbline.records.closure import Code, code_of
from plumbline.records.errors import PlumblineError, nearest
from plumbline.workflow import waiting
from plumbline.workflow.asks import before
from plumbline.workflow.constraints import one_of

if TYPE_CHECKING:
    from plumbline.workflow.file_names import Wildcards
    from plumbline.workflow.flow import Flow


Parts = dict[str, list[str]]
"""By file the names of those parts of it that are used."""


class DeriveFlow:
    """The flow of a run, as the rules that make benchmarks see it."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.nodes = flow.resolved.nodes
        self._read = [name for name, one in self.nodes.items() if isinstance(one, ReadBenchmark)]

    @property
    def read(self) -> str:
        """A wildcard's constraint: the benchmarks that are read from sources."""
        return one_of(self._read)

    @property
    def derived(self) -> str:
        """A wildcard's constraint: all others, one that nobody knows included, so that it is named."""
        return rf"(?!(?:{self.read})(?:\.|$)).+"

    # what a benchmark is read from

    def source_of(self, wildcards: Wildcards) -> list[str]:
        """The source of a benchmark; one that nobody has pinned yet is refused."""
        benchmark = self._benchmark(wildcards)
        assert isinstance(benchmark, ReadBenchmark), "the wildcard is constrained to those"
        waiting.refuse_unpinned(wildcards.benchmark, benchmark, self.flow.config)
        return [f"results/source/{benchmark.source}.zip"]

    def joined_of(self, wildcards: Wildcards) -> list[str]:
        """Where the joined texts of a benchmark are read from, text by text."""
        benchmark = self._benchmark(wildcards)
        joined = benchmark.joined if isinstance(benchmark, ReadBenchmark) else {}
        return [f"results/source/{text.source}.zip" for text in joined.values()]

    def labels_source_of(self, wildcards: Wildcards) -> list[str]:
        """Where the labels of several raters are read from."""
        labels = self._benchmark(wildcards).labels
        return [f"results/source/{labels}.zip"] if labels else []

    def choices_of(self, wildcards: Wildcards) -> list[str]:
        """What reviewers chose blind, as it is kept with the results."""
        return [f"results/choices/{wildcards.benchmark}.zip"] if self._benchmark(wildcards).second_pass else []

    def read_code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that reads, with the one loader that this benchmark needs."""
        benchmark = self._benchmark(wildcards)
        assert isinstance(benchmark, ReadBenchmark), "the wildcard is constrained to those"
        return code_of("read", [loader.module_of(benchmark.loader)])

    # what a benchmark is derived from

    def instances_of(self, wildcards: Wildcards) -> list[str]:
        """The instances that it is made of, and those that models were asked about for it."""
        waiting.refuse_waiting(wildcards.benchmark, self.flow.config, self.flow.resolved.left_out)
        needs = self._needs(wildcards)
        return self._files("instances", [*self._parents(wildcards), *needs.others.values(), *needs.about])

    def labels_of(self, wildcards: Wildcards) -> list[str]:
        """What people said of them: the derivation sees it only if it names labels, and the frame carries it."""
        vectors = [need.about for need in self._needs(wildcards).vectors]
        return self._files("labels", [*self._parents(wildcards), *vectors])

    def texts_of(self, wildcards: Wildcards) -> list[str]:
        """What models wrote."""
        return self._asked("texts", wildcards)

    def verdicts_of(self, wildcards: Wildcards) -> list[str]:
        """What judges said."""
        return self._asked("verdicts", wildcards)

    def vectors_of(self, wildcards: Wildcards) -> list[str]:
        """The embeddings that neighbours are found by."""
        return self._asked("vectors", wildcards)

    def parts_asked(self, wildcards: Wildcards) -> Parts:
        """By file of texts, verdicts or vectors the steps and protocols that the benchmark is made of."""
        used: Parts = {}
        for kind in KINDS:
            for path, names in self._parts(kind, wildcards).items():
                used[path] = names
        return used

    def decisions_of(self, wildcards: Wildcards) -> list[str]:
        """What people decided, as it is kept with the results."""
        return [f"results/decisions/{wildcards.benchmark}.zip"] if self._needs(wildcards).files else []

    def prompts_of(self, wildcards: Wildcards) -> list[str]:
        """The wording that a derivation says instructions in."""
        wording = self._needs(wildcards).wording
        return [self.flow.wording(wording)] if wording else []

    def derive_code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that derives, with the one derivation that this benchmark needs."""
        benchmark = self._benchmark(wildcards)
        assert isinstance(benchmark, DerivedBenchmark), "what is not read is derived"
        return code_of("derive", [derivation.module_of(benchmark.derive)])

    # people's decisions

    def files_decided(self, wildcards: Wildcards) -> list[str]:
        """The files in which people decided."""
        files = list(self._needs(wildcards).files)
        if not files:
            raise PlumblineError(
                f"nobody has decided on {wildcards.benchmark!r} yet",
                do="review the set and name the decisions file in its `decisions`, or ask for its unreviewed.parquet",
            )
        return files

    def files_chosen(self, wildcards: Wildcards) -> list[str]:
        """The files of what reviewers chose blind."""
        return self._benchmark(wildcards).second_pass

    # verdicts of judges made of judges

    def composed_of(self, wildcards: Wildcards) -> list[str]:
        """The verdicts that a judge made of judges puts together."""
        return self.flow.as_used(self.parts_composed(wildcards))

    def parts_composed(self, wildcards: Wildcards) -> Parts:
        """By file the protocols that it puts together."""
        composed = self.flow.resolved.get(f"composed.{wildcards.benchmark}.{wildcards.model}")
        home = f"results/verdicts/{wildcards.benchmark}"
        return {f"{home}/{model}.parquet": composed["protocols"] for model in self._composing(wildcards).models}

    def composed_code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that puts verdicts together, with the one way that this judge does it."""
        kind = self._composing(wildcards).kind
        return code_of("derive_verdicts", [kinds.module_of(kind), derived_judge.module_of(kind)])

    def _composing(self, wildcards: Wildcards) -> ComposedSettings:
        settings = self.flow.config.engine[self.flow.config.model[wildcards.model].engine]
        assert isinstance(settings, ComposedSettings), "the wildcard is constrained to those"
        return settings

    def _asked(self, kind: Stated, wildcards: Wildcards) -> list[str]:
        return self.flow.as_used(self._parts(kind, wildcards))

    def _parts(self, kind: Stated, wildcards: Wildcards) -> Parts:
        used: Parts = {}
        for one in before(self._benchmark(wildcards)):
            if one.states == kind:
                used.setdefault(f"results/{kind}/{one.benchmark}/{one.model}.parquet", []).append(one.name)
        return used

    @staticmethod
    def _files(kind: str, names: Iterable[str]) -> list[str]:
        return [f"results/{kind}/{name}.parquet" for name in dict.fromkeys(names)]

    def _parents(self, wildcards: Wildcards) -> list[str]:
        return self._benchmark(wildcards).parents

    def _needs(self, wildcards: Wildcards) -> Needs:
        benchmark = self._benchmark(wildcards)
        return needs_of(benchmark) if isinstance(benchmark, DerivedBenchmark) else Needs()

    def _benchmark(self, wildcards: Wildcards) -> Benchmark:
        name = wildcards.benchmark
        if name not in self.nodes:
            raise PlumblineError(f"unknown benchmark {name!r}", do=nearest(name, self.nodes))
        return self.nodes[name]
