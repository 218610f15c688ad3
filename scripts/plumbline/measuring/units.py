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
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.failing import MeasureFailed, failure
from plumbline.measuring.options import MeasureOptions, refuse_options
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_value
from plumbline.records.plugins import place_of

Indices = NDArray[np.integer[Any]]
ABSENT = -1
"""In place of the number of a unit, where an instance gives none."""
INSTRUCTION = "instruction"
WIDTHS = ("b", "h", "i")
"""Types of whole numbers, of 1, 2 and 4 bytes."""

Unit = TypeVar("Unit", bound=Hashable)
O = TypeVar("O", bound=MeasureOptions)  # noqa: E741
O_co = TypeVar("O_co", bound=MeasureOptions, covariant=True)


@dataclass(frozen=True)
class Observation(Generic[O_co]):
    """What is observed of a judge, with which options."""

    observer: Observer[Any]
    judge: Judge
    options: O_co
    sample: int = 0
    """Which run of a judge that draws its answers at random."""


See = Callable[[Case, Observation[O]], Any]
"""From a case to the unit it gives, or none."""


@dataclass(frozen=True)
class Observer(Generic[O]):
    """Makes the units of a measure from cases."""

    see: See[O]
    options: type[O]
    """What a table may set for it."""
    describes: str
    """What the description of one of its units says, in its order."""


def observer(*, options: type[O], describes: str) -> Callable[[See[O]], Observer[O]]:
    def register(see: See[O]) -> Observer[O]:
        refuse_options(options, place_of(see))
        return Observer(see, options, describes)

    return register


@dataclass(frozen=True)
class InstanceFilter:
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
    _index: array[int] = field(default_factory=lambda: array(WIDTHS[0]), repr=False)

    def add(self, unit: Unit | None) -> None:
        number = ABSENT
        if unit is not None:
            number = self._numbers.setdefault(unit, len(self.kinds))
            if number == len(self.kinds):
                self.kinds.append(unit)
                self._widen()
        self._index.append(number)

    def _widen(self) -> None:
        """A byte an instance is enough for few kinds, which most judges' units are."""
        width = next(width for width in WIDTHS if len(self.kinds) <= np.iinfo(width).max)
        if width != self._index.typecode:
            self._index = array(width, self._index)

    @property
    def index(self) -> Indices:
        kind = np.dtype(self._index.typecode)
        return np.frombuffer(self._index, dtype=kind) if self._index else np.empty(0, dtype=kind)


@dataclass
class Observed:
    """What was seen of one benchmark, instance by instance."""

    ids: array[int]
    """A number for each instance that its id alone decides."""
    subsets: Units[str]
    kept: dict[InstanceFilter, Units[bool]]
    clusters: dict[str, Units[str]]
    units: dict[Observation[Any], Units[Any]]
    failed: dict[Observation[Any], MeasureFailed] = field(default_factory=dict)
    """What could not be observed, and why."""

    def names(self, members: Indices, cluster: str) -> NDArray[np.uint64]:
        """For each instance the number of its cluster, or without clusters its own, whatever the order of them all."""
        if not cluster:
            return np.frombuffer(self.ids, dtype=np.uint64)[members]
        units = self.clusters[cluster]
        return np.array([number_of(name) for name in units.kinds], dtype=np.uint64)[units.index[members]]

    def members(self, subset: str, chosen: InstanceFilter) -> Indices:
        """The numbers of the instances of a subset that a filter keeps; without a subset, of all instances."""
        kinds = self.subsets.kinds
        number = kinds.index(subset) if subset in kinds else ABSENT
        inside = self.subsets.index == number if subset else np.ones(len(self.subsets.index), dtype=bool)
        kept = np.array(self.kept[chosen].kinds, dtype=bool)[self.kept[chosen].index] if inside.any() else inside
        return np.flatnonzero(inside & kept)


def observe(
    cases: Iterable[Case],
    observations: Iterable[Observation[Any]],
    filters: Iterable[InstanceFilter] = (InstanceFilter(),),
    clusters: Iterable[str] = (),
) -> Observed:
    """Read the cases once and collect the units of all observations, with filters and clusters."""
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
        for name, cluster in seen.clusters.items():
            cluster.add(cluster_of(case.instance, name))
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
