"""Sampling: what was observed on one benchmark, stratum by stratum, each instance with the same weights throughout."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.data.verdicts import Reading
from plumbline.measuring.bootstrap import WORTHWHILE, Bootstrap, BootstrapWeights, Floats, Groups, Ints, worthwhile
from plumbline.measuring.measure import Measure
from plumbline.measuring.parts import FOLDS, Part
from plumbline.measuring.units import ABSENT, InstanceFilter, Observation, Observed


class Stratum(NamedTuple):
    """Instances that are counted together."""

    subset: str
    chosen: InstanceFilter
    cluster: str


class ObservedMeasure(NamedTuple):
    """A measure of what was observed of one judge, in one reading: it is defined for some instances."""

    observation: Observation[Any]
    measure: Measure
    reading: Reading


Shared = tuple[ObservedMeasure, ...]
"""Only the instances for which all of these are defined; all instances, if there are none."""


@dataclass
class Sampling:
    """All that was observed on one benchmark."""

    benchmark: str
    observed: Observed
    bootstrap: Bootstrap
    choosing: Sequence[Stratum] = ()
    """Strata in which something is chosen by the data, so that what is weighed together must be of one fold."""
    _members: dict[tuple[Stratum, Shared], Ints] = field(default_factory=dict, repr=False)
    _weights: dict[tuple[str, bytes], BootstrapWeights] = field(default_factory=dict, repr=False)
    _parts: dict[tuple[Observation[Any], Stratum, Shared], Part] = field(default_factory=dict, repr=False)
    _features: dict[ObservedMeasure, Floats] = field(default_factory=dict, repr=False)
    _alike: list[Groups] = field(default_factory=list, repr=False)

    def part(self, observation: Observation[Any], stratum: Stratum, shared: Shared = ()) -> Part:
        """What was observed in a stratum; with `shared`, only of the instances for which all of these are defined."""
        if observation in self.observed.failed:
            raise self.observed.failed[observation]
        if not self.narrows(stratum, shared):
            shared = ()
        key = observation, stratum, shared
        if key not in self._parts:
            self._parts[key] = self._part(*key)
        return self._parts[key]

    def _part(self, observation: Observation[Any], stratum: Stratum, shared: Shared) -> Part:
        units, members = self.observed.units[observation], self.members(stratum, shared)
        index = units.index[members]
        present, numbers = np.unique(index, return_inverse=True)
        absent = int(ABSENT in present)
        present = present[absent:]
        kinds = [units.kinds[number] for number in present]
        counts = np.bincount(numbers, minlength=len(present) + absent)[absent:]

        def features(measure: Measure, reading: Reading) -> Floats:
            return self._features_of(ObservedMeasure(observation, measure, reading))[present]

        weights = self.weights(stratum, members)
        return Part(kinds, counts, numbers - absent, weights, features, partial(self._folds, stratum, members))

    def forget(self) -> None:
        """Let go of what is only needed for one judge."""
        self._parts.clear()
        self._features.clear()

    def members(self, stratum: Stratum, shared: Shared = ()) -> Ints:
        """The numbers of the instances."""
        key = stratum, shared
        if key not in self._members:
            members = self.observed.members(stratum.subset, stratum.chosen)
            for counted in shared:
                members = members[self._defined(counted)[members]]
            self._members[key] = members
        return self._members[key]

    def narrows(self, stratum: Stratum, shared: Shared) -> bool:
        return bool(shared) and len(self.members(stratum, shared)) < len(self.members(stratum))

    def _defined(self, counted: ObservedMeasure) -> NDArray[np.bool_]:
        """Of each instance of the benchmark, whether a measure is defined for it."""
        if counted.observation in self.observed.failed:
            raise self.observed.failed[counted.observation]
        there = ~np.isnan(self._features_of(counted)).any(axis=1)
        return np.asarray(np.append(there, False)[self.observed.units[counted.observation].index])

    def _features_of(self, counted: ObservedMeasure) -> Floats:
        """Those of all kinds of units, so that they mean the same in every stratum."""
        if counted not in self._features:
            kinds = self.observed.units[counted.observation].kinds
            self._features[counted] = counted.measure.features(kinds, counted.reading)
        return self._features[counted]

    def _folds(self, stratum: Stratum, members: Ints) -> Ints:
        """Clusters in the order of their names, which is no order of anything else, dealt to the folds in turn."""
        names = self.observed.names(members, stratum.cluster)
        return np.asarray(np.unique(names, return_inverse=True)[1] % FOLDS)

    def weights(self, stratum: Stratum, members: Ints) -> BootstrapWeights:
        """The same for all that is measured on the same instances."""
        key = stratum.cluster, hashlib.sha256(members.tobytes()).digest()
        if key not in self._weights:
            together = None if stratum.cluster else self._alike_groups()
            groups = together.among(members) if together else Groups.of(self.observed.names(members, stratum.cluster))
            self._weights[key] = BootstrapWeights(self.bootstrap, groups)
        return self._weights[key]

    def _alike_groups(self) -> Groups | None:
        """All instances of a large benchmark, grouped by all that is measured of them and counted with them."""
        size = len(self.observed.ids)
        if not worthwhile(size, self.bootstrap):
            return None
        if not self._alike:
            observed = self.observed
            kinds = [observed.subsets.index, *(kept.index for kept in observed.kept.values())]
            kinds += [units.index for units in observed.units.values()]
            kinds += [self._folds_everywhere(stratum) for stratum in self.choosing]
            self._alike.append(Groups.alike(observed.names(np.arange(size), ""), kinds))
        [groups] = self._alike
        return groups if len(groups) * WORTHWHILE <= size else None

    def _folds_everywhere(self, stratum: Stratum) -> Ints:
        members = self.members(stratum)
        folds = np.full(len(self.observed.ids), ABSENT)
        folds[members] = self._folds(stratum, members)
        return folds
