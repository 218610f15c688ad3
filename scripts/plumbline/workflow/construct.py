"""What the construction rules ask: which files a stage of a set needs, built by itself or together with others."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from plumbline.config.construct import Construct
from plumbline.config.typed import known
from plumbline.derive.asked import FILTERING, PERTURBING, WRITING
from plumbline.derive.strategy import Needs, module_of, needs_of
from plumbline.records.closure import Code, code_of
from plumbline.records.errors import PlumblineError
from plumbline.records.manifest import Setting
from plumbline.workflow.builds import HOME, Build, Place, builds, evaluators_of, filtered_sets, finished
from plumbline.workflow.shown_sets import chosen_builds
from plumbline.workflow.waiting import WaitingSet, is_pinned, waiting_sets

if TYPE_CHECKING:
    from plumbline.workflow.file_names import ForWildcards, Wildcards
    from plumbline.workflow.flow import Flow


class ConstructFlow:
    """The flow of a run, as the construction rules see it."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.config = flow.config

    @cached_property
    def builds(self) -> dict[str, Build]:
        return builds(self.config)

    # targets

    def chosen(self) -> list[Build]:
        """The experiment's builds."""
        return chosen_builds(self.config, self.left_out)

    @cached_property
    def left_out(self) -> dict[str, WaitingSet]:
        """The sets that cannot be built yet."""
        return waiting_sets(self.config)

    def places(self) -> list[Place]:
        """Where the experiment's sets are kept."""
        return [build.place(name) for build in self.chosen() for name in build.sets]

    def built(self) -> list[str]:
        """All that is built of the experiment's sets."""
        files = []
        for place in self.places():
            declared = self.config.construct[place.name]
            kinds = [*(["reviewed.parquet"] if declared.decisions else []), "unreviewed.parquet"]
            files += [*(f"{place.home}/{kind}" for kind in kinds), *self._told(place)]
        together = [build for build in self.chosen() if len(build.sets) > 1]
        return files + [f"{HOME}/{build.name}/funnels.md" for build in together]

    def files_of(self, wildcards: Wildcards) -> list[str]:
        """What tells people of a set: its funnel first."""
        return self._told(self._place(wildcards))

    def _told(self, place: Place) -> list[str]:
        needs = needs_of(self.config.construct[place.name])
        drawn = [f"similarity/{pool}.svg" for pool in needs.pools] if needs.retrieval else []
        return [f"{place.home}/{kind}" for kind in ("funnel.svg", "funnel.md", "datasheet.md", *drawn)]

    def datasets(self) -> list[str]:
        """The experiment's sets as folders to publish."""
        return [f"{place.home}/dataset/README.md" for place in self.places()]

    # what a stage of one set depends on

    def making(self, stage: str) -> ForWildcards:
        """The settings of a stage of a set."""

        def find(wildcards: Wildcards) -> Setting:
            key = f"making.{self._place(wildcards).name}.{stage}"
            return Setting(key, self.flow.resolved.get(key))

        return find

    def plugins(self, wildcards: Wildcards) -> Setting:
        """The plugin that registers the strategy of a set, if one does."""
        key = f"plugins.making.{self._place(wildcards).name}"
        return Setting(key, self.flow.resolved.get(key))

    def candidates_code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that makes candidates, with the one strategy of this set."""
        return code_of("candidates", [module_of(self._declared(wildcards).strategy)])

    def sources_of(self, wildcards: Wildcards) -> list[str]:
        """The sources of a set's pools; a pool whose source nobody has pinned yet waits."""
        pools = {name: self.config.pool[name].source for name in self._needs(wildcards).pools}
        waiting = [name for name in pools if name in self.waiting()]
        if waiting:
            source = self.config.source[pools[waiting[0]]]
            raise PlumblineError(
                f"the pool {waiting[0]!r} waits: nobody has pinned the digest of its source yet",
                where=f"construct.{self._place(wildcards).name}.pools",
                found="waiting: " + ", ".join(self.waiting()),
                do=f"run `plumbline pin {pools[waiting[0]]}`: it fetches {source.url or 'it'}, shows what came, "
                "and writes the digests",
            )
        return [f"results/source/{source}.zip" for source in dict.fromkeys(pools.values())]

    def waiting(self) -> list[str]:
        """Pools that cannot be used yet: their source is neither a file of yours nor pinned."""
        return [name for name, pool in self.config.pool.items() if not is_pinned(self.config.source[pool.source])]

    def pool_of(self, wildcards: Wildcards) -> list[str]:
        return [self._place(wildcards).file("pool")] if self._needs(wildcards).pools else []

    def asked_of(self, wildcards: Wildcards) -> list[str]:
        """The instructions that models wrote about for a set, by part of its build."""
        build, name = self._build(wildcards), self._place(wildcards).name
        parts = [part for part in (PERTURBING, WRITING) if build.written_for(name, part)]
        return [f"results/instances/{build.part(part)}.parquet" for part in parts]

    def written_of(self, wildcards: Wildcards) -> list[str]:
        """What they wrote."""
        return self._build(wildcards).written_for(self._place(wildcards).name)

    def neighbours_of(self, wildcards: Wildcards) -> list[str]:
        return [self._place(wildcards).file("neighbours")] if self._needs(wildcards).retrieval else []

    def counterpart_of(self, wildcards: Wildcards) -> list[str]:
        counterpart = self._needs(wildcards).counterpart
        return [finished(self._build(wildcards), self.config, counterpart)] if counterpart else []

    def pairs_of(self, wildcards: Wildcards) -> list[str]:
        benchmark = self._needs(wildcards).benchmark
        return [f"results/{kind}/{benchmark}.parquet" for kind in ("instances", "labels")] if benchmark else []

    def shown_of(self, wildcards: Wildcards) -> list[str]:
        """What evaluators were shown, where a set has any."""
        shown = f"results/instances/{self._build(wildcards).part(FILTERING)}.parquet"
        return [shown] if self._declared(wildcards).filter.evaluators else []

    def evaluations_of(self, wildcards: Wildcards) -> list[str]:
        """What a set's evaluators said."""
        return self.flow.as_used(self.protocols_of(wildcards))

    def protocols_of(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """What of that is about the set: under other protocols other sets of its build were judged."""
        home = f"results/verdicts/{self._build(wildcards).part(FILTERING)}"
        evaluators = evaluators_of(self.config, self._declared(wildcards).filter)
        return {f"{home}/{model}.parquet": protocols for model, protocols in evaluators.items()}

    def wording_of(self, wildcards: Wildcards) -> list[str]:
        """The set's own wording."""
        return [self.flow.wording(self._declared(wildcards).prompts)]

    def decisions_of(self, wildcards: Wildcards) -> list[str]:
        """The files in which people decided."""
        decisions = self._declared(wildcards).decisions
        if not decisions:
            name = self._place(wildcards).name
            raise PlumblineError(
                f"the set {name!r} has no decisions yet",
                where=f"construct.{name}.decisions",
                do="review it and name the decisions file there, or ask for unreviewed.parquet",
            )
        return decisions

    def final_of(self, wildcards: Wildcards) -> str:
        return finished(self._build(wildcards), self.config, self._place(wildcards).name)

    def stages_of(self, wildcards: Wildcards) -> list[str]:
        """The files that account for what became of every row."""
        place = self._place(wildcards)
        ends = [place.file("reviewed")] if self._declared(wildcards).decisions else []
        return [*self.pool_of(wildcards), place.file("filtered"), *ends]

    def funnels_of(self, wildcards: Wildcards) -> list[str]:
        """The funnels of all sets of a build."""
        build = self._named(wildcards.build)
        return [f"{build.place(name).home}/funnel.csv" for name in build.sets]

    def embedder_resource(self, name: str) -> ForWildcards:
        def asked(wildcards: Wildcards) -> object:
            retrieval = self._needs(wildcards).retrieval
            return self.flow.resource_of(retrieval.embedder, name) if retrieval else None

        return asked

    # what a part of a build depends on: the sets that are built together

    def asking(self, wildcards: Wildcards) -> Setting:
        """What is written about in a part."""
        key = f"asking.{wildcards.build}/{wildcards.part}"
        return Setting(key, self.flow.resolved.get(key))

    def pools_of(self, wildcards: Wildcards) -> list[str]:
        build = self._named(wildcards.build)
        return [build.place(name).file("pool") for name in build.asking(wildcards.part)]

    def neighbours_of_asked(self, wildcards: Wildcards) -> list[str]:
        """The neighbours of the sets that have any: what has none of use is asked about in vain."""
        build = self._named(wildcards.build)
        retrieving = [name for name, asked in build.asking(wildcards.part).items() if "floor" in asked]
        return [build.place(name).file("neighbours") for name in retrieving]

    def perturbed_of(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """The changed instructions that a part is about: what was written in the part before it."""
        build = self._named(wildcards.build)
        changed = [name for name, asked in build.asking(wildcards.part).items() if any(asked["about"])]
        written = dict.fromkeys(file for name in changed for file in build.written_for(name, PERTURBING))
        asked = [f"results/instances/{build.part(PERTURBING)}.parquet"] if written else []
        return {"asked": asked, "written": list(written)}

    def candidates_of(self, wildcards: Wildcards) -> list[str]:
        """The candidates that evaluators are shown."""
        build = self._named(wildcards.build)
        return [build.place(name).file("candidates") for name in filtered_sets(build)]

    def _named(self, build: str) -> Build:
        known(build, self.builds, "construct")
        return self.builds[build]

    def _place(self, wildcards: Wildcards) -> Place:
        place = Place.parse(wildcards.construct)
        known(place.name, self._named(place.build).sets, f"construct {wildcards.construct!r}")
        return place

    def _build(self, wildcards: Wildcards) -> Build:
        return self._named(self._place(wildcards).build)

    def _declared(self, wildcards: Wildcards) -> Construct:
        return self.config.construct[self._place(wildcards).name]

    def _needs(self, wildcards: Wildcards) -> Needs:
        return needs_of(self._declared(wildcards))
