"""What `rules/sets.smk` asks, and other rules about a set of pairs: the files of its chain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plumbline.config.construct import Construct
from plumbline.config.typed import known
from plumbline.derive.chain import Build, SetPlace, pool_name
from plumbline.derive.derivations.near import Near
from plumbline.derive.history import DRAWN, EVALUATE, FILTERED, NEAR, PAIRS, REVIEWED, SCREENED, UNREVIEWED
from plumbline.records.manifest import Setting
from plumbline.workflow.composing.logit_bias import unbiased
from plumbline.workflow.composing.nodes import state_of
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.composing.set_places import chosen_builds
from plumbline.workflow.composing.sets import near_of, texts_of
from plumbline.workflow.composing.waiting import waiting_sets
from plumbline.workflow.context import Groups, RuleModule, Wildcards, parquet

HOME = "results/construct"
STAGES = (DRAWN, NEAR, PAIRS, SCREENED, FILTERED, UNREVIEWED, REVIEWED)
"""The steps of a set's chain whose ledgers hold what became of its rows, in order."""


class Sets(RuleModule):
    # targets

    def chosen(self) -> list[Build]:
        """The experiment's builds."""
        return chosen_builds(self.run.config, self.run.resolved.builds, waiting_sets(self.run.config))

    def places(self) -> list[SetPlace]:
        """Where the experiment's sets are kept."""
        return [build.place(name) for build in self.chosen() for name in build.sets]

    def built(self) -> list[str]:
        """All that is built of the experiment's sets."""
        files = []
        for place in self.places():
            stages = dict.fromkeys([state_of(self.run.config, place.name), UNREVIEWED])
            files += [*parquet("instances", [place.node(stage) for stage in stages]), *self._described(place)]
        together = [build for build in self.chosen() if len(build.sets) > 1]
        return files + [f"{HOME}/{build.name}/funnels.md" for build in together]

    def datasets(self) -> list[str]:
        """The experiment's sets as folders to publish."""
        return [f"{HOME}/{place.path}/dataset/README.md" for place in self.places()]

    # the files of one set

    def ledgers(self, wildcards: Wildcards) -> list[str]:
        """The ledgers with what became of its rows: those of its pools, then those of its chain in order."""
        place, build = self._place(wildcards), self._build(wildcards)
        declared = self._declared(wildcards)
        pools = [pool_name(pool) for pool in getattr(declared, "pools", ())]
        chain = [place.node(stage) for stage in STAGES if place.node(stage) in build.nodes]
        if declared.filter.evaluators:
            chain.insert(chain.index(place.node(FILTERED)), build.level(EVALUATE))
        return parquet("ledger", [*pools, *chain])

    def final(self, kind: str) -> Callable[[Wildcards], str]:
        """The instances or labels of a finished set."""

        def file(wildcards: Wildcards) -> str:
            place = self._place(wildcards)
            return f"results/{kind}/{place.node(state_of(self.run.config, place.name))}.parquet"

        return file

    def described(self, wildcards: Wildcards) -> list[str]:
        """What describes a set: its funnel first."""
        return self._described(self._place(wildcards))

    def setting(self, group: str) -> Callable[[Wildcards], Setting]:
        """A setting of a set, wherever the set is built."""
        return lambda wildcards: self.run.keyed(f"{group}.{self._place(wildcards).name}")

    def funnels(self, wildcards: Wildcards) -> list[str]:
        """The funnels of all sets of a build."""
        build = self._named(wildcards.build)
        return [f"{HOME}/{build.place(name).path}/funnel.csv" for name in build.sets]

    # similarities

    def vectors(self, wildcards: Wildcards) -> str:
        return f"results/vectors/{pool_name(wildcards.pool)}/{self._near(wildcards).embedder}.parquet"

    def bounds(self, wildcards: Wildcards) -> Setting:
        """By what a set's neighbours are taken: ceiling, floor and prefix among it."""
        return self.run.keyed(f"made.{self._place(wildcards).node(NEAR)}")

    def _near(self, wildcards: Wildcards) -> Near:
        near = near_of(self._build(wildcards), self._place(wildcards).name)
        assert near is not None, "only sets with neighbours have such a figure"
        return near

    def _described(self, place: SetPlace) -> list[str]:
        near = near_of(self._named(place.build), place.name)
        drawn = [f"similarity/{pool.partition('/')[2]}.svg" for pool in near.pools] if near else []
        return [f"{HOME}/{place.path}/{kind}" for kind in ("funnel.svg", "funnel.md", "datasheet.md", *drawn)]

    def _named(self, build: str) -> Build:
        known(build, self.run.resolved.builds, "construct")
        return self.run.resolved.builds[build]

    def _place(self, wildcards: Wildcards) -> SetPlace:
        place = SetPlace.parse(wildcards.construct)
        known(place.name, self._named(place.build).sets, f"construct {wildcards.construct!r}")
        return place

    def _build(self, wildcards: Wildcards) -> Build:
        return self._named(self._place(wildcards).build)

    def _declared(self, wildcards: Wildcards) -> Construct:
        return self.run.config.construct[self._place(wildcards).name]


def sheet(resolved: Resolved, name: str) -> dict[str, Any]:
    """What the datasheet of a set states beside its data."""
    config, declared = resolved.config, resolved.config.construct[name]
    notes = unbiased(config, declared.filter)
    return {"title": declared.title, "notes": notes, "made_by": made_by(resolved, name)}


def made_by(resolved: Resolved, name: str) -> dict[str, Any]:
    """Which models write what of a set, and which filter it; of a counterpart those of the other set."""
    declared = resolved.config.construct[name]
    if counterpart := getattr(declared, "counterpart", ""):
        return made_by(resolved, counterpart.partition("/")[0])
    written: dict[str, list[str]] = {}
    for role, text in texts_of(resolved.builds[name], name).items():
        written.setdefault(text.model, []).append(role)
    return {"written": written, "filtered": list(declared.filter.evaluators)}


SETTINGS: Groups = {"sheet": lambda resolved: {name: sheet(resolved, name) for name in resolved.config.construct}}
