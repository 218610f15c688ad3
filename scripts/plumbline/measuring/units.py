"""Units: what one instance gives to a measure, in both readings at once.

There are few different units where judges say one of a few words. So they are numbered as they come, and of each
instance only the number of its unit is kept.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from plumbline.data.instances import DOCUMENT, Instance
from plumbline.data.labels import GOLD
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.failing import MeasureFailed, failure
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_value

Indices = NDArray[np.integer[Any]]
ABSENT = -1
"""In place of the number of a unit, where an instance gives none."""
INSTRUCTION = "instruction"

Unit = TypeVar("Unit", bound=Hashable)


@dataclass(frozen=True)
class Observation:
    """Of whom what is observed."""

    observer: Observer
    judge: Judge
    question: str = ""
    """The question looked at; empty for the observer's usual one."""
    rater: str = GOLD
    """Whose labels the judge is held against."""
    systems: tuple[str, ...] = ()
    """Only what is said of these systems' outputs; none: all of them."""
    against: Judge | None = None
    """Another judge that it is held against, in place of the rater."""
    person: str = ""
    """The rater, or `people` for all, who is measured in place of the judge."""
    sample: int = 0
    """Which run of a judge that draws its answers at random."""
    scored_on: str = ""
    """The judge's question whose answers score outputs, where that is not `question`."""
    aggregate: str = ""
    """How the ratings of several people are put together."""
    level: str = ""
    """What distances between ratings mean."""
    scale: tuple[float, ...] = ()
    """The lowest and the highest rating, where ratings are shown as shares."""
    family: tuple[str, ...] = ()
    """The systems of the judge's own family."""
    within: tuple[float, ...] = ()
    """The least and the greatest value that is counted."""
    category: str = ""
    """Only questions of the checklist that carry this category."""
    votes: int = 0
    """Of how many samples the majority counts; 0: the first sample alone."""


See = Callable[[Case, Observation], Any]
"""From a case to the unit it gives, or none."""


@dataclass(frozen=True)
class Observer:
    """What looks at cases, and which it uses of question, rater, person, systems, against, category and votes."""

    see: See
    uses: frozenset[str]
    describes: str
    """What the description of one of its units says, in its order."""


def observer(*uses: str, describes: str) -> Callable[[See], Observer]:
    return lambda see: Observer(see, frozenset(uses), describes)


@dataclass(frozen=True)
class Filter:
    """Which instances of a subset are counted."""

    matching: str = ""
    """Those whose instruction matches this regular expression."""
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Those whose context has one of these texts under each of these names."""
    having: tuple[str, ...] = ()
    """Those whose context has any text under each of these names."""

    def keeps(self, instance: Instance) -> bool:
        if self.matching and not re.search(self.matching, instance.instruction):
            return False
        if not all(instance.context.get(name) for name in self.having):
            return False
        return all(set(instance.context.get(name, ())) & set(texts) for name, texts in self.where)


@dataclass
class Units(Generic[Unit]):
    """The different units of a benchmark's instances, and the number of each instance's own."""

    kinds: list[Unit] = field(default_factory=list)
    _numbers: dict[Unit, int] = field(default_factory=dict, repr=False)
    _index: array[int] = field(default_factory=lambda: array("i"), repr=False)

    def add(self, unit: Unit | None) -> None:
        number = ABSENT
        if unit is not None:
            number = self._numbers.setdefault(unit, len(self.kinds))
            if number == len(self.kinds):
                self.kinds.append(unit)
        self._index.append(number)

    @property
    def index(self) -> Indices:
        return np.frombuffer(self._index, dtype=np.int32) if self._index else np.empty(0, dtype=np.int32)


@dataclass
class Observed:
    """What was seen of one benchmark, instance by instance."""

    ids: array[int]
    """A number for each instance that its id alone decides."""
    subsets: Units[str]
    kept: dict[Filter, Units[bool]]
    clusters: dict[str, Units[str]]
    units: dict[Observation, Units[Any]]
    failed: dict[Observation, MeasureFailed] = field(default_factory=dict)
    """What could not be observed, and why."""

    def names(self, members: Indices, cluster: str) -> NDArray[np.uint64]:
        """For each instance the number of its cluster, or without clusters its own, whatever the order of them all."""
        if not cluster:
            return np.frombuffer(self.ids, dtype=np.uint64)[members]
        units = self.clusters[cluster]
        return np.array([number_of(name) for name in units.kinds], dtype=np.uint64)[units.index[members]]

    def members(self, subset: str, chosen: Filter) -> Indices:
        """The numbers of the instances of a subset that a filter keeps; without a subset, of all instances."""
        kinds = self.subsets.kinds
        number = kinds.index(subset) if subset in kinds else ABSENT
        inside = self.subsets.index == number if subset else np.ones(len(self.subsets.index), dtype=bool)
        kept = np.array(self.kept[chosen].kinds, dtype=bool)[self.kept[chosen].index] if inside.any() else inside
        return np.flatnonzero(inside & kept)


def observe(
    cases: Iterable[Case],
    observations: Iterable[Observation],
    filters: Iterable[Filter] = (Filter(),),
    clusters: Iterable[str] = (),
) -> Observed:
    """Go through the cases once and note all that is asked for."""
    names = list(dict.fromkeys(clusters))
    seen = Observed(
        array("Q"),
        Units(),
        {f: Units() for f in filters},
        {n: Units() for n in names},
        {o: Units() for o in observations},
    )
    looks = [(observation.observer.see, observation, units.add) for observation, units in seen.units.items()]
    for case in cases:
        seen.ids.append(number_of(digest_value(case.instance.id)))
        seen.subsets.add(case.instance.subset)
        for chosen, kept in seen.kept.items():
            kept.add(chosen.keeps(case.instance))
        for name, found in seen.clusters.items():
            found.add(cluster_of(case.instance, name))
        for look in list(looks):
            see, observation, add = look
            try:
                add(see(case, observation))
            except PlumblineError:
                raise
            except Exception as error:
                seen.failed[observation] = failure(f"what {see.__name__!r} sees of a case", see, error)
                looks.remove(look)
    for observation in seen.failed:
        del seen.units[observation]
    return seen


def number_of(digest: str) -> int:
    return int(digest[:16], 16)


def cluster_of(instance: Instance, name: str) -> str:
    """What an instance shares with the others of its cluster, as a digest."""
    texts: Sequence[str] = (instance.instruction,) if name == INSTRUCTION else instance.context.get(name, ())
    if not texts:
        raise PlumblineError(
            f"the instance {instance.id} cannot be clustered by {name!r}",
            where=instance.origin,
            expected=f"{INSTRUCTION}, {DOCUMENT} or another text that the context of every instance has",
        )
    return digest_value(tuple(texts))[:16]
