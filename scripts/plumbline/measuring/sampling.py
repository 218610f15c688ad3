"""Sampling: what one judge gave on some instances of a benchmark, and the same in every bootstrap sample of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from plumbline.data.verdicts import MISSING, Reading
from plumbline.measuring.bootstrap import Bootstrap, Floats, Ints, Resamples, product
from plumbline.measuring.measures import Measure
from plumbline.measuring.units import ABSENT, Filter, Observation, Observed

FEW = 64
"""Up to so many different units, it is counted how often each was drawn; of more, their features are added up."""
UNJUDGED = "not judged"


class Stratum(NamedTuple):
    """Instances that are drawn from one another."""

    subset: str
    chosen: Filter
    cluster: str


class Totals(NamedTuple):
    """Totals of the features of a measure."""

    total: Floats
    """Over the instances."""
    draws: Floats
    """In each bootstrap sample, one a row."""
    n: int
    """How many instances have any."""


@dataclass
class Part:
    """The units of one stratum, and how often each was drawn."""

    kinds: list[Any]
    counts: Ints
    """How many instances gave each kind of unit."""
    index: Ints
    """The kind of each instance; `ABSENT` where it gave none."""
    resamples: Resamples
    _drawn: Floats | None = field(default=None, repr=False)

    @property
    def counted(self) -> dict[Any, int]:
        return {kind: int(count) for kind, count in zip(self.kinds, self.counts, strict=True)}

    def totals(self, features: Floats) -> Totals:
        """The totals of features of its kinds, one kind a row; a row with NaN is no part of them."""
        defined = ~np.asarray(np.isnan(features).any(axis=1))
        total, drawn = self._summed(np.where(defined[:, None], features, 0.0))
        return Totals(total, drawn, int(self.counts[defined].sum()))

    def weights(self) -> Iterator[Floats]:
        """How often each kind was drawn, some samples at a time, one a row."""
        judged = np.flatnonzero(self.index != ABSENT)
        return self.resamples.drawn(judged, self.index[judged], len(self.kinds))

    def _summed(self, features: Floats) -> tuple[Floats, Floats]:
        """The totals of the kinds' features, over the instances and in each sample."""
        total = self.counts.astype(np.float64) @ features
        if len(self.kinds) <= FEW:
            return total, product(self._counts_drawn(), features)
        padded = np.concatenate([features, np.zeros((1, features.shape[1]))])  # ABSENT is the last
        return total, self.resamples.totals(padded[self.index])

    def _counts_drawn(self) -> Floats:
        if self._drawn is None:
            one_of = np.concatenate([np.eye(len(self.kinds)), np.zeros((1, len(self.kinds)))])
            self._drawn = self.resamples.totals(one_of[self.index])
        return self._drawn


@dataclass(frozen=True)
class Measured:
    """A value, and its values in bootstrap samples."""

    value: float
    draws: Floats
    n: int
    """How many instances it is defined for."""
    marks: tuple[str, ...] = ()


@dataclass
class Sampling:
    """All that was observed on one benchmark."""

    benchmark: str
    observed: Observed
    bootstrap: Bootstrap
    _resamples: dict[Stratum, Resamples] = field(default_factory=dict, repr=False)
    _parts: dict[tuple[Observation, Stratum], Part] = field(default_factory=dict, repr=False)

    def part(self, observation: Observation, stratum: Stratum) -> Part:
        key = observation, stratum
        if key not in self._parts:
            units = self.observed.units[observation]
            index = units.index[self.members(stratum)]
            present, numbers = np.unique(index, return_inverse=True)
            absent = int(ABSENT in present)
            kinds = [units.kinds[number] for number in present[absent:]]
            counts = np.bincount(numbers, minlength=len(present))[absent:]
            self._parts[key] = Part(kinds, counts, numbers - absent, self._samples(stratum))
        return self._parts[key]

    def forget(self) -> None:
        """Let go of what is only needed for one judge."""
        self._parts.clear()

    def members(self, stratum: Stratum) -> Ints:
        return self.observed.members(stratum.subset, stratum.chosen)

    def _samples(self, stratum: Stratum) -> Resamples:
        if stratum not in self._resamples:
            members = self.members(stratum)
            clusters = self.observed.clusters[stratum.cluster].index[members] if stratum.cluster else None
            kinds = [units.index[members] for units in self.observed.units.values()]
            names = (
                self.benchmark,
                stratum.subset,
                stratum.chosen.matching,
                repr(stratum.chosen.where),
                stratum.cluster,
            )
            self._resamples[stratum] = Resamples.of(self.bootstrap, names, len(members), clusters, kinds)
        return self._resamples[stratum]


def measured(measure: Measure, parts: Sequence[Part], reading: Reading, pooled: bool = False) -> Measured:
    """The value over several parts: their mean, each with the same weight, or that of all instances as one."""
    of = _weighed if measure.weighed else _added_up
    groups = [parts] if pooled or measure.adds else [[part] for part in parts]
    found = [of(measure, group, reading) for group in groups]
    value, n = float(np.mean([each.value for each in found])), sum(each.n for each in found)
    if measure.adds:
        return Measured(value, np.full(parts[0].resamples.bootstrap.replicates, value), n)
    return Measured(value * measure.scale, np.mean([each.draws for each in found], axis=0) * measure.scale, n)


def averaged(runs: Sequence[Measured]) -> Measured:
    """The mean of the values of several runs of one judge, each on the same samples of instances."""
    if len(runs) == 1:
        return runs[0]
    values = [run.value for run in runs]
    error = float(np.std(values, ddof=1) / np.sqrt(len(values)))
    mark = f"mean of {len(runs)} runs, with a standard error between runs of {error:.3g}"
    return Measured(float(np.mean(values)), np.mean([run.draws for run in runs], axis=0), runs[0].n, (mark,))


def _added_up(measure: Measure, parts: Sequence[Part], reading: Reading) -> Measured:
    """The value of all instances as one, from totals of their features."""
    features = measure.features([kind for part in parts for kind in part.kinds], reading)
    ends = np.cumsum([len(part.kinds) for part in parts])[:-1]
    found = [part.totals(own) for part, own in zip(parts, np.split(features, ends), strict=True)]
    total = np.sum([totals.total for totals in found], axis=0)
    draws = np.sum([totals.draws for totals in found], axis=0)
    return Measured(float(measure.value(total)), measure.value(draws), sum(totals.n for totals in found))


def _weighed(measure: Measure, parts: Sequence[Part], reading: Reading) -> Measured:
    """The value of all instances as one, from how often each was drawn."""
    assert measure.weighed is not None
    kinds = [kind for part in parts for kind in part.kinds]
    counts = np.concatenate([part.counts for part in parts])
    value_of = measure.weighed(kinds, reading)
    n = int(counts[~np.isnan(measure.features(kinds, reading)).any(axis=1)].sum())
    value = float(value_of(counts[None].astype(np.float64))[0])
    if len(parts) == 1:
        return Measured(value, np.concatenate([value_of(weights) for weights in parts[0].weights()]), n)
    return Measured(value, value_of(np.hstack([np.concatenate([*part.weights()]) for part in parts])), n)


def missing(parts: Iterable[Part]) -> dict[str, int]:
    """How many verdicts the strict reading does not have, by the word for it."""
    words: Counter[str] = Counter()
    for part in parts:
        for kind, count in part.counted.items():
            for word in kind.missing:
                words[word] += count
    return {word: words[word] for word in MISSING}


def close(parts: Iterable[Part]) -> int:
    """How many verdicts the model's arithmetic alone could turn."""
    return sum(kind.close * count for part in parts for kind, count in part.counted.items())


def marks(parts: Sequence[Part]) -> tuple[str, ...]:
    """What is special about the units, each with how many it is true of, unless it is true of all."""
    found: Counter[str] = Counter()
    for part in parts:
        for kind, count in part.counted.items():
            found.update(dict.fromkeys(kind.marks, count))
        found[UNJUDGED] += int((part.index == ABSENT).sum())
    whole = sum(int(part.counts.sum()) for part in parts)
    return tuple(_marked(mark, count, whole) for mark, count in sorted(found.items()) if count)


def _marked(mark: str, count: int, whole: int) -> str:
    return mark if count == whole and mark != UNJUDGED else f"{mark}: {count:,}"


def counted(parts: Sequence[Part]) -> list[Mapping[Any, int]]:
    return [part.counted for part in parts]
