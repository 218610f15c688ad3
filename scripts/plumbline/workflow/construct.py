"""What the construction rules ask: which files a stage needs, and the model behind each step."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline.config.construct import Construct
from plumbline.config.typed import known
from plumbline.judging.protocols import wordings_of
from plumbline.judging.settings import PARSING, program_modules, rests_on_reading
from plumbline.models.kinds import module_of
from plumbline.records.closure import Code, code_of
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.manifest import Setting
from plumbline.workflow.construct_settings import HOME, MODELS, evaluators_of, finished_file, steps_of

if TYPE_CHECKING:
    from plumbline.workflow.flow import Flow, ForWildcards, Wildcards


@dataclass(frozen=True)
class Asked:
    """Stands in for a judge rule's wildcards where the model follows from the set and the step."""

    model: str


class ConstructFlow:
    """The flow of a run, as the construction rules see it."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.config = flow.config

    # targets

    def sets(self) -> list[str]:
        """The experiment's sets, in the order it names them."""
        chosen: dict[str, None] = {}
        for pattern in self.config.experiment.construct:
            found = fnmatch.filter(sorted(self.config.construct), pattern)
            if not found:
                hint = nearest(pattern, self.config.construct)
                raise PlumblineError(f"no set is called {pattern!r}", where="experiment.construct", do=hint)
            chosen.update(dict.fromkeys(found))
        return list(chosen)

    def built(self) -> list[str]:
        """All that is built of the experiment's sets."""
        files = []
        for name in self.sets():
            declared = self.config.construct[name]
            kinds = [*(["reviewed.parquet"] if declared.decisions else []), "unreviewed.parquet"]
            kinds += ["funnel.md", "funnel.svg", "datasheet.md"]
            if declared.strategy == "neighbor":
                kinds += [f"similarity/{pool}.svg" for pool in declared.pools]
            files += [f"{HOME}/{name}/{kind}" for kind in kinds]
        return files

    def datasets(self) -> list[str]:
        """The experiment's sets as folders to publish."""
        return [f"{HOME}/{name}/dataset/README.md" for name in self.sets()]

    # files of one set

    def sources_of(self, wildcards: Wildcards) -> list[str]:
        """The sources of a set's pools; a pool whose source nobody has pinned yet waits."""
        pools = {name: self.config.pool[name].source for name in self._declared(wildcards).pools}
        waiting = [name for name in pools if name in self.waiting()]
        if waiting:
            source = self.config.source[pools[waiting[0]]]
            raise PlumblineError(
                f"the pool {waiting[0]!r} waits: nobody has pinned the digest of its source yet",
                where=f"construct.{wildcards.construct}.pools",
                found="waiting: " + ", ".join(self.waiting()),
                do=f"fetch {source.url}, look at it, run `sha256sum FILE > config/source/{pools[waiting[0]]}.sha256` "
                f"and add `pins: {pools[waiting[0]]}.sha256` to config/source/{pools[waiting[0]]}.yaml",
            )
        return [f"results/source/{source}.zip" for source in dict.fromkeys(pools.values())]

    def waiting(self) -> list[str]:
        """Pools that cannot be used yet: their source is neither a file of yours nor pinned."""
        unpinned = {name for name, source in self.config.source.items() if not source.pins and not source.path}
        return [name for name, pool in self.config.pool.items() if pool.source in unpinned]

    def perturbed_of(self, wildcards: Wildcards) -> list[str]:
        """What O2 is written about, where that is another instruction."""
        declared = self._declared(wildcards)
        changed = wildcards.step == "second" and declared.strategy == "gptinst"
        return [f"{HOME}/{wildcards.construct}/perturbed.parquet"] if changed else []

    def pool_of(self, wildcards: Wildcards) -> list[str]:
        return [f"{HOME}/{wildcards.construct}/pool.parquet"] if self._declared(wildcards).pools else []

    def texts_of(self, wildcards: Wildcards) -> list[str]:
        return [f"{HOME}/{wildcards.construct}/{step}.parquet" for step in steps_of(self._declared(wildcards))]

    def neighbours_of(self, wildcards: Wildcards) -> list[str]:
        found = self._declared(wildcards).strategy == "neighbor"
        return [f"{HOME}/{wildcards.construct}/neighbours.parquet"] if found else []

    def counterpart_of(self, wildcards: Wildcards) -> list[str]:
        counterpart = self._declared(wildcards).counterpart
        return [finished_file(self.config.construct, counterpart)] if counterpart else []

    def pairs_of(self, wildcards: Wildcards) -> list[str]:
        benchmark = self._declared(wildcards).benchmark
        return [f"results/{kind}/{benchmark}.parquet" for kind in ("instances", "labels")] if benchmark else []

    def evaluations_of(self, wildcards: Wildcards) -> list[str]:
        models = self._declared(wildcards).filter.evaluators
        return [f"{HOME}/{wildcards.construct}/evaluated/{model}.parquet" for model in models]

    def evaluators_prompts_of(self, wildcards: Wildcards) -> list[str]:
        """The wordings of all evaluators, which their answers are read with."""
        asked = evaluators_of(self.config, self._declared(wildcards))
        return [self.flow.wording(name) for name in wordings_of(n for names in asked.values() for n in names)]

    def evaluator_prompts_of(self, wildcards: Wildcards) -> list[str]:
        """The wordings of one evaluator."""
        asked = evaluators_of(self.config, self._declared(wildcards))
        return [self.flow.wording(name) for name in wordings_of(asked.get(wildcards.model, []))]

    def evaluator_parsing(self, wildcards: Wildcards) -> Any:
        """How an evaluator's answers are read: a setting where what is asked depends on it."""
        key = f"making.{wildcards.construct}.evaluators.{wildcards.model}.parsing"
        value = self.flow.resolved.get(key)
        asked = evaluators_of(self.config, self._declared(wildcards))[wildcards.model]
        return Setting(key, value) if rests_on_reading(self.config, asked) else value

    def wording_of(self, wildcards: Wildcards) -> list[str]:
        """The set's own wording."""
        return [self.flow.wording(self._declared(wildcards).prompts)]

    def decisions_of(self, wildcards: Wildcards) -> list[str]:
        """The files in which people decided."""
        decisions = self._declared(wildcards).decisions
        if not decisions:
            raise PlumblineError(
                f"the set {wildcards.construct!r} has no decisions yet",
                where=f"construct.{wildcards.construct}.decisions",
                do="review it and name the decisions file there, or ask for unreviewed.parquet",
            )
        return decisions

    def final_of(self, wildcards: Wildcards) -> str:
        return finished_file(self.config.construct, wildcards.construct)

    def stages_of(self, wildcards: Wildcards) -> list[str]:
        """The files that account for what became of every row."""
        name = wildcards.construct
        ends = [f"{HOME}/{name}/reviewed.parquet"] if self._declared(wildcards).decisions else []
        return [*self.pool_of(wildcards), f"{HOME}/{name}/filtered.parquet", *ends]

    # the model behind a step

    def embedder(self, wildcards: Wildcards) -> Asked:
        return Asked(self._declared(wildcards).embedder)

    def writer(self, wildcards: Wildcards) -> Asked:
        declared = self._declared(wildcards)
        if wildcards.step not in steps_of(declared):
            raise PlumblineError(
                f"the set {wildcards.construct!r} asks nobody for {wildcards.step!r}",
                do=f"known here: {', '.join(steps_of(declared)) or 'no step'}",
            )
        return Asked(getattr(declared, MODELS[wildcards.step]))

    def writer_tuning(self, wildcards: Wildcards) -> dict[str, Any]:
        return self.flow.tuning(self.writer(wildcards))

    def writer_environment(self, wildcards: Wildcards) -> str:
        return self.flow.judge_environment(self.writer(wildcards))

    def writer_resource(self, name: str) -> ForWildcards:
        return lambda wildcards: self.flow.resource(name)(self.writer(wildcards))

    def writer_growing(self, name: str) -> Callable[[Wildcards, int], int]:
        return lambda wildcards, attempt: self.flow.growing(name)(self.writer(wildcards), attempt)

    def embedder_resource(self, name: str) -> ForWildcards:
        return lambda wildcards: self.flow.resource(name)(self.embedder(wildcards))

    def writer_code(self, wildcards: Wildcards) -> Code:
        return self._code("texts", self.writer(wildcards).model)

    def evaluator_code(self, wildcards: Wildcards) -> Code:
        asked = evaluators_of(self.config, self._declared(wildcards)).get(wildcards.model, [])
        programs = program_modules(self.config, asked)
        reads = rests_on_reading(self.config, asked)
        return self._code("evaluate", wildcards.model, programs, without=() if reads else PARSING)

    def filtered_code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that reads the evaluators' answers, with the programs that they were asked with."""
        asked = evaluators_of(self.config, self._declared(wildcards)).values()
        return code_of("filtered", program_modules(self.config, [name for names in asked for name in names]))

    def _code(self, script: str, model: str, programs: Iterable[str] = (), without: tuple[str, ...] = ()) -> Code:
        engine = module_of(self.config.engine[self.config.model[model].engine].kind)
        return code_of(script, [engine, *programs], without)

    def _declared(self, wildcards: Wildcards) -> Construct:
        known(wildcards.construct, self.config.construct, "construct")
        return self.config.construct[wildcards.construct]
