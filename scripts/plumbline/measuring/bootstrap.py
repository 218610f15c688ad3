"""Bootstrap: intervals by drawing the instances of a benchmark again and again, with replacement.

A sample is drawn of instances, not of verdicts: every judge, measure and reading is measured on the same samples of
them. So equal outcomes have equal intervals, and the difference of two judges is paired without further work.

What a measure needs of a sample are totals: of each instance's feature vector, times how often it was drawn. Where
instances form clusters, clusters are drawn. Where there are too many instances to draw each, those that are alike in
all that is measured are drawn together, as a multinomial: the same distribution at a fraction of the cost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
BLOCK = 1 << 21
"""So many draws are made at a time."""
SMALL = 1 << 18
"""Products of so few multiplications are made in one thread: on a busy machine, threads wait for one another."""
KEPT = 1 << 26
"""Samples of up to so many bytes are kept between uses; larger ones are drawn anew, with the same result."""
LARGE = 100_000_000
"""From so many draws on, instances that are alike are drawn together."""


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are made."""

    seed: int
    replicates: int
    level: float


def generator(seed: int, *names: str) -> np.random.Generator:
    """Random numbers that depend on the seed and on what they are for, never on what was drawn before."""
    digest = hashlib.sha256("\0".join([str(seed), *names]).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


@dataclass
class Resamples:
    """Samples with replacement of some instances, the same each time they are asked for."""

    bootstrap: Bootstrap
    names: tuple[str, ...]
    """What is drawn: together with the seed it decides the samples."""
    members: Ints
    """The group of each instance: itself, its cluster, or all that are like it."""
    alike: bool = False
    """Whether groups hold instances that are alike, of which any number may be drawn; a cluster is drawn as a whole."""
    _kept: list[NDArray[np.unsignedinteger]] = field(default_factory=list, repr=False)

    @classmethod
    def of(
        cls, bootstrap: Bootstrap, names: tuple[str, ...], size: int, clusters: Ints | None, kinds: Sequence[Ints] = ()
    ) -> Resamples:
        """Samples of `size` instances, or of their clusters; `kinds` has all that is measured of each instance."""
        if clusters is not None:
            return cls(bootstrap, names, np.unique(clusters, return_inverse=True)[1])
        if size * bootstrap.replicates > LARGE and kinds:
            together = joint(kinds)
            if together.max() < size // 8:
                return cls(bootstrap, names, together, alike=True)
        return cls(bootstrap, names, np.arange(size))

    def __post_init__(self) -> None:
        self.groups = int(self.members.max(initial=-1)) + 1

    def totals(self, features: Floats) -> Floats:
        """The totals of the instances' features (one instance a row) in each sample (one sample a row)."""
        if self.alike:
            first = np.unique(self.members, return_index=True)[1]
            return self._drawn(features[first])
        return self._drawn(self._summed(features))

    def drawn(self, instances: Ints, kinds: Ints, many: int) -> Iterator[Floats]:
        """How often each of `many` kinds was drawn, some samples at a time; `kinds` has that of each of the instances.

        Of instances that are alike, any number may be drawn, so that one of them stands for its group.
        """
        groups = self.members[instances]
        if self.alike:
            groups, first = np.unique(groups, return_index=True)
            kinds = kinds[first]
        from scipy.sparse import csr_array  # its module is slow to load, and few tables need it

        belongs = csr_array((np.ones(len(groups)), (groups, kinds)), shape=(self.groups, many))
        for block in self._blocks():
            yield np.asarray(block.astype(np.float64) @ belongs)

    def _summed(self, features: Floats) -> Floats:
        if self.groups == len(self.members):
            return features[np.argsort(self.members)]
        columns = [np.bincount(self.members, column, self.groups) for column in features.T]
        return np.stack(columns, axis=1)

    def _drawn(self, features: Floats) -> Floats:
        return np.concatenate([product(block, features) for block in self._blocks()])

    def _blocks(self) -> Iterator[NDArray[np.unsignedinteger]]:
        """How often each group was drawn, some samples at a time."""
        if self._kept:
            yield from self._kept
            return
        random = generator(self.bootstrap.seed, "bootstrap", *self.names)
        rows = max(1, BLOCK // self.groups)
        left = self.bootstrap.replicates
        keep = self.groups * left <= KEPT
        blocks = []
        while left:
            block = self._block(min(rows, left), random)
            left -= len(block)
            if keep:
                blocks.append(block)
            yield block
        self._kept = blocks

    def _block(self, rows: int, random: np.random.Generator) -> NDArray[np.unsignedinteger]:
        if self.alike:
            sizes = np.bincount(self.members)
            counts = random.multinomial(len(self.members), sizes / sizes.sum(), size=rows)
        else:
            groups = self.groups
            drawn = random.integers(groups, size=(rows, groups), dtype=np.uint32)
            places = drawn + (np.arange(rows, dtype=np.int64) * groups)[:, None]
            counts = np.bincount(places.ravel(), minlength=rows * groups).reshape(rows, groups)
        return counts.astype(np.min_scalar_type(counts.max()))


def product(counts: NDArray[Any], features: Floats) -> Floats:
    """The matrix product, a few rows at a time."""
    rows = max(1, SMALL // max(1, features.size))
    parts = [counts[start : start + rows].astype(np.float64) @ features for start in range(0, len(counts), rows)]
    return np.concatenate(parts)


def joint(kinds: Sequence[Ints]) -> Ints:
    """Number the instances that are alike in every respect the same, from 0."""
    together = np.zeros(len(kinds[0]), dtype=np.int64)
    for index in kinds:
        shifted = index.astype(np.int64) - index.min()
        together = np.unique(together * (shifted.max() + 1) + shifted, return_inverse=True)[1]
    return together


@dataclass(frozen=True)
class Estimate:
    """A number with its percentile interval and its standard error.

    How often a 95 % interval held the true value in 2,000 made-up worlds (`tests/bench/bench_coverage.py`): 93.8 to
    96.0 % for every measure at 200 instances, 93.2 % for a mean and 91.9 % for Pearson's correlation at 30, 93.2 % at
    20 clusters of ten. A failure that occurs in one verdict of a hundred is held in 89.1 % only at 200 instances: where
    it does not occur in the sample, no sample of that has it either. Instances that belong together but are not
    clustered (20 by ten): 77.3 %.
    """

    value: float
    low: float
    high: float
    se: float

    @classmethod
    def of(cls, value: float, draws: Floats, level: float) -> Estimate:
        """From the value and its values in bootstrap samples; samples that leave it undefined say nothing."""
        defined = draws[~np.isnan(draws)]
        if np.isnan(value) or not len(defined):
            return cls(value, np.nan, np.nan, np.nan)
        low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
        return cls(value, float(low), float(high), float(defined.std()))
