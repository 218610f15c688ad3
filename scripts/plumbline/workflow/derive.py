"""What `rules/derive.smk` asks: what a benchmark is derived from, and what judges made of judges stand on."""

from __future__ import annotations

from functools import partial
from typing import Any

from plumbline.asking.program import KINDS, Stated
from plumbline.asking.settings import templates_of, without_steps
from plumbline.config.benchmark import DerivedBenchmark
from plumbline.config.engine import ComposedSettings
from plumbline.config.typed import Sections
from plumbline.derive import derivation, derived_judge
from plumbline.derive.derivation import needs_of
from plumbline.derive.needs import Needs
from plumbline.models import kinds
from plumbline.records.closure import Code, code_of
from plumbline.workflow.composing import composed_judges, waiting
from plumbline.workflow.composing.prerequisites import prerequisites
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.constraints import one_of
from plumbline.workflow.context import Groups, Parts, RuleModule, Wildcards, parquet
from plumbline.workflow.read import Read
from plumbline.workflow.wording import Wording


class Derive(RuleModule):
    """The rule `derive`: a benchmark from others."""

    @property
    def benchmarks(self) -> str:
        """A wildcard's constraint: all that are not read, one that nobody knows included, so that it is named."""
        return rf"(?!(?:{Read(self.run).benchmarks})(?:\.|$)).+"

    def instances(self, wildcards: Wildcards) -> list[str]:
        """The instances that it is made of, and those that models were asked about for it."""
        waiting.refuse_waiting(wildcards.benchmark, self.run.config, self.run.resolved.left_out)
        needs, parents = self._needs(wildcards), self.run.benchmark(wildcards.benchmark).parents
        return parquet("instances", [*parents, *needs.others.values(), *needs.about])

    def labels(self, wildcards: Wildcards) -> list[str]:
        """What people stated of them: the derivation sees it only if it names labels, and the frame carries it."""
        vectors = [need.about for need in self._needs(wildcards).vectors]
        return parquet("labels", [*self.run.benchmark(wildcards.benchmark).parents, *vectors])

    def texts(self, wildcards: Wildcards) -> list[str]:
        """What models wrote."""
        return self.run.as_used(self._parts("texts", wildcards))

    def verdicts(self, wildcards: Wildcards) -> list[str]:
        """What judges decided."""
        return self.run.as_used(self._parts("verdicts", wildcards))

    def vectors(self, wildcards: Wildcards) -> list[str]:
        """The embeddings that neighbours are taken by."""
        return self.run.as_used(self._parts("vectors", wildcards))

    def parts(self, wildcards: Wildcards) -> Parts:
        """By file of texts, verdicts or vectors the steps and protocols that the benchmark is made of."""
        return {path: names for kind in KINDS for path, names in self._parts(kind, wildcards).items()}

    def decisions(self, wildcards: Wildcards) -> list[str]:
        """What people decided, as it is kept with the results."""
        return [f"results/decisions/{wildcards.benchmark}.zip"] if self._needs(wildcards).files else []

    def prompts(self, wildcards: Wildcards) -> list[str]:
        """The wording that a derivation puts instructions in."""
        wording = self._needs(wildcards).wording
        return [Wording(self.run).file(wording)] if wording else []

    def code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that derives, with the one derivation that this benchmark needs."""
        benchmark = self.run.benchmark(wildcards.benchmark)
        assert isinstance(benchmark, DerivedBenchmark), "what is not read is derived"
        return code_of("derive", [derivation.module_of(benchmark.derive)])

    def _parts(self, kind: Stated, wildcards: Wildcards) -> Parts:
        used: Parts = {}
        for one in prerequisites(self.run.benchmark(wildcards.benchmark)):
            if one.states == kind:
                used.setdefault(f"results/{kind}/{one.benchmark}/{one.model}.parquet", []).append(one.name)
        return used

    def _needs(self, wildcards: Wildcards) -> Needs:
        benchmark = self.run.benchmark(wildcards.benchmark)
        return needs_of(benchmark) if isinstance(benchmark, DerivedBenchmark) else Needs()


class DeriveVerdicts(RuleModule):
    """The rule `derive_verdicts`: the verdicts of a judge that is made of judges."""

    @property
    def models(self) -> str:
        """A wildcard's constraint: the judges that are made of judges."""
        return one_of(self.run.composed_models)

    def verdicts(self, wildcards: Wildcards) -> list[str]:
        """The verdicts that it puts together."""
        return self.run.as_used(self.parts(wildcards))

    def parts(self, wildcards: Wildcards) -> Parts:
        """By file the protocols whose verdicts it puts together."""
        composed = self.run.get(f"composed.{wildcards.benchmark}.{wildcards.model}")
        used: Parts = {}
        for protocol in composed["protocols"]:
            for member in self._engine(wildcards).stands_on(protocol):
                names = used.setdefault(f"results/verdicts/{wildcards.benchmark}/{member.model}.parquet", [])
                names += [member.protocol] if member.protocol not in names else []
        return used

    def code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that puts verdicts together, with the one way that this judge does it."""
        kind = self._engine(wildcards).kind
        return code_of("derive_verdicts", [kinds.module_of(kind), derived_judge.module_of(kind)])

    def _engine(self, wildcards: Wildcards) -> ComposedSettings:
        settings = self.run.engine(wildcards.model)
        assert isinstance(settings, ComposedSettings), "the wildcard is constrained to those"
        return settings


def wordings_of(resolved: Resolved) -> Sections:
    """By benchmark the wording in which its derivation puts instructions, as far as it decides them."""

    def of_one(name: str) -> dict[str, Any]:
        benchmark = resolved.nodes[name]
        wording = needs_of(benchmark).wording if isinstance(benchmark, DerivedBenchmark) else ""
        return {wording: templates_of(resolved.config, wording)} if wording else {}

    return Sections({name: partial(of_one, name) for name in resolved.nodes})


def composed(resolved: Resolved) -> dict[str, dict[str, Any]]:
    """By benchmark and judge made of judges, what is put together of their verdicts."""
    config = resolved.config
    return {
        benchmark: {
            model: composed_judges.put_together(config, without_steps(protocols), model)
            for model, protocols in models.items()
            if composed_judges.settings_of(config, model)
        }
        for benchmark, models in resolved.asked.items()
    }


SETTINGS: Groups = {"wordings_of": wordings_of, "composed": composed}
