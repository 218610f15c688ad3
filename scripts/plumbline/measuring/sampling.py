"""Sampling: what one judge gave on some instances of a benchmark, and the same in every bootstrap sample of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from plumbline.data.verdicts import MISSING, Reading
from plumbline.measuring.bootstrap import Bootstrap, Floats, Ints, Resamples, product
from plumbline.measuring.cells import ARITHMETIC
from plumbline.measuring.measure import Measure
from plumbline.measuring.units import ABSENT, Filter, Observation, Observed

FEW = 64
"""Up to so many different units, it is counted how often each was drawn; of more, their features are added up."""
FOLDS = 10
"""Where something is chosen by the data, it is chosen on nine of these and measured on the tenth, each in turn."""
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
    features: Callable[[Measure, Reading], Floats] = field(repr=False)
    """What a measure takes from each kind of unit."""
    folds_of: Callable[[], Ints] = field(repr=False)
    """The fold of each instance, that of its whole cluster; only where something is chosen is it asked for."""
    _drawn: Floats | None = field(default=None, repr=False)
    _totals: dict[tuple[str, Reading], Totals] = field(default_factory=dict, repr=False)

    @property
    def counted(self) -> dict[Any, int]:
        return {kind: int(count) for kind, count in zip(self.kinds, self.counts, strict=True)}

    def totals(self, measure: Measure, reading: Reading) -> Totals:
        """What a measure takes its value from."""
        key = measure.name, reading
        if key not in self._totals:
            features = self.features(measure, reading)
            defined = ~np.asarray(np.isnan(features).any(axis=1))
            total, drawn = self._summed(np.where(defined[:, None], features, 0.0))
            self._totals[key] = Totals(total, drawn, int(self.counts[defined].sum()))
        return self._totals[key]

    def weights(self) -> Iterator[Floats]:
        """How often each kind was drawn, some samples at a time, one a row."""
        judged = np.flatnonzero(self.index != ABSENT)
        return self.resamples.drawn(judged, self.index[judged], len(self.kinds))

    def folded(self, measure: Measure, reading: Reading) -> Totals:
        """The same fold by fold: the folds are the last axis but one."""
        features = self.features(measure, reading)
        defined = ~np.asarray(np.isnan(features).any(axis=1))
        features = np.concatenate([np.where(defined[:, None], features, 0.0), np.zeros((1, features.shape[1]))])
        apart = np.zeros((len(self.index), FOLDS, features.shape[1]))
        apart[np.arange(len(self.index)), self.folds_of()] = features[self.index]
        drawn = self.resamples.totals(apart.reshape(len(self.index), -1))
        n = int(self.counts[defined].sum())
        return Totals(apart.sum(axis=0), drawn.reshape(len(drawn), *apart.shape[1:]), n)

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
    in_folds: bool = False
    """Whether anything is chosen by the data, so that what is drawn together must be of one fold."""
    _resamples: dict[Stratum, Resamples] = field(default_factory=dict, repr=False)
    _known_members: dict[Stratum, Ints] = field(default_factory=dict, repr=False)
    _parts: dict[tuple[Observation, Stratum], Part] = field(default_factory=dict, repr=False)
    _features: dict[tuple[Observation, str, Reading], Floats] = field(default_factory=dict, repr=False)

    def part(self, observation: Observation, stratum: Stratum) -> Part:
        key = observation, stratum
        if observation in self.observed.failed:
            raise self.observed.failed[observation]
        if key not in self._parts:
            units = self.observed.units[observation]
            index = units.index[self._members(stratum)]
            present, numbers = np.unique(index, return_inverse=True)
            absent = int(ABSENT in present)
            present = present[absent:]
            kinds = [units.kinds[number] for number in present]
            counts = np.bincount(numbers, minlength=len(present) + absent)[absent:]

            def features(measure: Measure, reading: Reading) -> Floats:
                return self._features_of(observation, measure, reading)[present]

            self._parts[key] = Part(
                kinds, counts, numbers - absent, self._samples(stratum), features, partial(self._folds, stratum)
            )
        return self._parts[key]

    def forget(self) -> None:
        """Let go of what is only needed for one judge."""
        self._parts.clear()
        self._features.clear()

    def _features_of(self, observation: Observation, measure: Measure, reading: Reading) -> Floats:
        """Those of all kinds of units, so that they mean the same in every stratum."""
        key = observation, measure.name, reading
        if key not in self._features:
            self._features[key] = measure.features(self.observed.units[observation].kinds, reading)
        return self._features[key]

    def _members(self, stratum: Stratum) -> Ints:
        if stratum not in self._known_members:
            self._known_members[stratum] = self.observed.members(stratum.subset, stratum.chosen)
        return self._known_members[stratum]

    def _folds(self, stratum: Stratum) -> Ints:
        """Clusters in the order of their names, which is no order of anything else, dealt to the folds in turn."""
        names = self.observed.names(self._members(stratum), stratum.cluster)
        return np.unique(names, return_inverse=True)[1] % FOLDS

    def _samples(self, stratum: Stratum) -> Resamples:
        if stratum not in self._resamples:
            members = self._members(stratum)
            clusters = self.observed.clusters[stratum.cluster].index[members] if stratum.cluster else None
            kinds = [units.index[members] for units in self.observed.units.values()]
            kinds += [self._folds(stratum)] if self.in_folds else []
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
    if measure.weighed:
        groups = [parts] if pooled else [[part] for part in parts]
        weighed = [_weighed(measure, group, reading) for group in groups]
        draws = np.mean([each.draws for each in weighed], axis=0) * measure.scale
        value = float(np.mean([each.value for each in weighed])) * measure.scale
        return Measured(value, draws, sum(each.n for each in weighed))
    found = [part.totals(measure, reading) for part in parts]
    n = sum(totals.n for totals in found)
    value = float(over(measure, [totals.total for totals in found], pooled))
    if measure.adds:
        return Measured(value, np.full(parts[0].resamples.bootstrap.replicates, value), n)
    return Measured(value, over(measure, [totals.draws for totals in found], pooled), n)


def over(measure: Measure, totals: Sequence[Floats], pooled: bool) -> Floats:
    """The value of totals of several parts."""
    together = [np.sum(totals, axis=0)] if pooled or measure.adds else totals
    return np.asarray(np.mean([measure.value(total) for total in together], axis=0) * measure.scale)


def averaged(runs: Sequence[Measured]) -> Measured:
    """The mean of the values of several runs of one judge, each on the same samples of instances."""
    if len(runs) == 1:
        return runs[0]
    values = [run.value for run in runs]
    error = float(np.std(values, ddof=1) / np.sqrt(len(values)))
    shown = 0.0 if error < ARITHMETIC else error
    apart = "" if np.isnan(error) else f", with a standard error between runs of {shown:.3g}"
    mark = f"mean of {len(runs)} runs{apart}"
    return Measured(float(np.mean(values)), np.mean([run.draws for run in runs], axis=0), runs[0].n, (mark,))


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
