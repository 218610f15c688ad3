"""What the rules that tell of sets ask: the files of a set's chain, built by itself or together with others."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from plumbline.config.construct import Construct
from plumbline.config.typed import known
from plumbline.derive.chain import Build, Place, pool_name
from plumbline.derive.derivations.near import Near
from plumbline.derive.history import DRAWN, EVALUATE, FILTERED, NEAR, PAIRS, REVIEWED, SCREENED, UNREVIEWED
from plumbline.records.manifest import Setting
from plumbline.workflow.nodes import state_of
from plumbline.workflow.sets import near_of
from plumbline.workflow.shown_sets import chosen_builds
from plumbline.workflow.waiting import WaitingSet, waiting_sets

if TYPE_CHECKING:
    from plumbline.workflow.file_names import ForWildcards, Wildcards
    from plumbline.workflow.flow import Flow

HOME = "results/construct"
STAGES = (DRAWN, NEAR, PAIRS, SCREENED, FILTERED, UNREVIEWED, REVIEWED)
"""The steps of a set's chain whose ledgers tell what became of its rows, in order."""


class SetFiles:
    """The flow of a run, as the rules that tell of sets see it."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.config = flow.config
        self.builds = flow.resolved.builds

    # targets

    @cached_property
    def left_out(self) -> dict[str, WaitingSet]:
        """The sets that cannot be built yet."""
        return waiting_sets(self.config)

    def chosen(self) -> list[Build]:
        """The experiment's builds."""
        return chosen_builds(self.config, self.builds, self.left_out)

    def places(self) -> list[Place]:
        """Where the experiment's sets are kept."""
        return [build.place(name) for build in self.chosen() for name in build.sets]

    def built(self) -> list[str]:
        """All that is built of the experiment's sets."""
        files = []
        for place in self.places():
            stages = dict.fromkeys([state_of(self.config, place.name), UNREVIEWED])
            files += [*(f"results/instances/{place.node(stage)}.parquet" for stage in stages), *self._told(place)]
        together = [build for build in self.chosen() if len(build.sets) > 1]
        return files + [f"{HOME}/{build.name}/funnels.md" for build in together]

    def datasets(self) -> list[str]:
        """The experiment's sets as folders to publish."""
        return [f"{HOME}/{place.path}/dataset/README.md" for place in self.places()]

    def files_of(self, wildcards: Wildcards) -> list[str]:
        """What tells people of a set: its funnel first."""
        return self._told(self._place(wildcards))

    def _told(self, place: Place) -> list[str]:
        near = near_of(self._named(place.build), place.name)
        drawn = [f"similarity/{pool.partition('/')[2]}.svg" for pool in near.pools] if near else []
        return [f"{HOME}/{place.path}/{kind}" for kind in ("funnel.svg", "funnel.md", "datasheet.md", *drawn)]

    # the files of one set

    def ledgers_of(self, wildcards: Wildcards) -> list[str]:
        """The ledgers that tell what became of its rows: those of its pools, then those of its chain in order."""
        place, build = self._place(wildcards), self._build(wildcards)
        declared = self._declared(wildcards)
        pools = [pool_name(pool) for pool in getattr(declared, "pools", ())]
        chain = [place.node(stage) for stage in STAGES if place.node(stage) in build.nodes]
        if declared.filter.evaluators:
            chain.insert(chain.index(place.node(FILTERED)), build.level(EVALUATE))
        return [f"results/ledger/{name}.parquet" for name in (*pools, *chain)]

    def final_of(self, kind: str) -> Callable[[Any], str]:
        """The instances or labels of a finished set."""

        def find(wildcards: Wildcards) -> str:
            place = self._place(wildcards)
            return f"results/{kind}/{place.node(state_of(self.config, place.name))}.parquet"

        return find

    def told(self, key: str) -> ForWildcards:
        """What is said of a set beside its data: see `sets.told`."""

        def find(wildcards: Wildcards) -> Setting:
            full = f"sets.{self._place(wildcards).name}.{key}"
            return Setting(full, self.flow.resolved.get(full))

        return find

    # what similarities are drawn of

    def vectors_of(self, wildcards: Wildcards) -> str:
        return f"results/vectors/{pool_name(wildcards.pool)}/{self._near(wildcards).embedder}.parquet"

    def bounds_of(self, wildcards: Wildcards) -> Setting:
        """What a set's neighbours are found by: ceiling, floor and prefix among it."""
        key = f"made.{self._place(wildcards).node(NEAR)}"
        return Setting(key, self.flow.resolved.get(key))

    def _near(self, wildcards: Wildcards) -> Near:
        found = near_of(self._build(wildcards), self._place(wildcards).name)
        assert found is not None, "only sets with neighbours have such a figure"
        return found

    # sets that are built together

    def funnels_of(self, wildcards: Wildcards) -> list[str]:
        """The funnels of all sets of a build."""
        build = self._named(wildcards.build)
        return [f"{HOME}/{build.place(name).path}/funnel.csv" for name in build.sets]

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
