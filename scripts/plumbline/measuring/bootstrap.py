"""Bootstrap: how far a value varies, by weighting the instances of a benchmark anew again and again.

Each instance (or cluster of them) has one positive weight a replicate, drawn from an exponential distribution by the
seed and the instance's own id: the Bayesian bootstrap (Rubin 1981). So the same instance weighs the same under every
judge, measure, reading, subset and table: differences are paired wherever instances are shared, no subset is ever
empty, and no order of rows matters. Within a stratum, weights are scaled to add up to the number of its instances.

What a measure needs of a replicate are totals: of each instance's feature vector, times its weight. Where there are too
many instances to weigh each, those that are alike in all that a table measures get one weight together, a gamma
variable with as many degrees: the same distribution at a fraction of the cost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.integer[Any]]
Names = NDArray[np.uint64]
"""Numbers that stand for the ids of instances or clusters."""
BLOCK = 1 << 18
"""So many weights are drawn at a time: they stay in a processor's cache."""
SMALL = 1 << 18
"""Products of so few multiplications are made in one thread: on a busy machine, threads wait for one another."""
KEPT = 1 << 26
"""Weights of up to so many bytes are kept between uses; more are drawn anew, with the same result."""
LARGE = 100_000_000
"""From so many weights on, instances that are alike are weighed together."""
WORTHWHILE = 128
"""But only if there are so many times as many instances as groups, as a group's weight takes longer to draw."""
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
ROUNDS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


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


def uniforms(seed: int, names: Names, replicates: range) -> Floats:
    """A number between 0 and 1 for each replicate and name, which these and the seed alone decide.

    It is SplitMix64 (Steele, Lea and Flood 2014), started at each name: a generator whose k-th number is a function of
    k, so that any block of a table can be made by itself.
    """
    start = _mixed(names ^ np.uint64(int(generator(seed, "weights").integers(1 << 63))))
    steps = np.arange(replicates.start + 1, replicates.stop + 1, dtype=np.uint64) * GOLDEN
    bits = _mixed(start[None, :] + steps[:, None])
    bits >>= np.uint64(11)
    numbers = bits.astype(np.float64)
    numbers += 0.5
    numbers *= 2.0**-53
    return numbers


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    shifted = np.empty_like(bits)
    for shift, factor in ROUNDS:
        np.right_shift(bits, np.uint64(shift), out=shifted)
        bits = np.bitwise_xor(bits, shifted, out=bits)
        bits *= np.uint64(factor)
    np.right_shift(bits, np.uint64(31), out=shifted)
    return np.bitwise_xor(bits, shifted, out=bits)


@dataclass(frozen=True)
class Groups:
    """What gets a weight of its own: instances, clusters, or many instances that are alike."""

    names: Names
    """Of each group, in ascending order."""
    members: Ints
    """The group of each instance."""
    sizes: Ints | None = None
    """How many instances are weighed together in each group that are alike; none where nothing is."""

    @classmethod
    def of(cls, names: Names) -> Groups:
        """Instances by their own names, or by those of their clusters."""
        distinct, members = np.unique(names, return_inverse=True)
        return cls(distinct, members)

    @classmethod
    def alike(cls, names: Names, kinds: Sequence[Ints]) -> Groups:
        """Instances that are alike in every respect; a group has the least name of its instances, in any order."""
        together = joint(kinds)
        least = np.full(int(together.max(initial=-1)) + 1, np.iinfo(np.uint64).max, dtype=np.uint64)
        np.minimum.at(least, together, names)
        order = np.argsort(least)
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        members = places[together]
        return cls(least[order], members, np.bincount(members, minlength=len(order)))

    def __len__(self) -> int:
        return len(self.names)

    def among(self, instances: Ints) -> Groups:
        """Those that some of the instances belong to."""
        present, members = np.unique(self.members[instances], return_inverse=True)
        return Groups(self.names[present], members, None if self.sizes is None else self.sizes[present])


def worthwhile(instances: int, bootstrap: Bootstrap) -> bool:
    """Whether there are so many instances that those which are alike should be weighed together."""
    return instances * bootstrap.replicates > LARGE


@dataclass
class BootstrapWeights:
    """The weights of the instances of a stratum in each replicate, the same each time they are asked for."""

    bootstrap: Bootstrap
    groups: Groups
    _kept: list[Singles] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.counts = np.bincount(self.groups.members, minlength=len(self.groups)).astype(np.float64)

    @property
    def drawn(self) -> int:
        """How many weights are drawn independently: one an instance, or one a cluster."""
        sizes = self.groups.sizes
        return len(self.groups) if sizes is None else int(sizes.sum())

    @property
    def clustered(self) -> bool:
        """Whether instances share a weight as they belong together; clusters of one are none."""
        return self.groups.sizes is None and len(self.groups) < len(self.groups.members)

    def totals(self, features: Floats) -> Floats:
        """The totals of the instances' features (one instance a row) in each replicate (one a row)."""
        summed = self.summed(features)
        return np.concatenate([product(block, summed) for block in self._blocks()])

    def summed(self, features: Floats) -> Floats:
        """The features added up in each group."""
        columns = [np.bincount(self.groups.members, column, len(self.groups)) for column in features.T]
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.groups), 0))

    def of_kinds(self, instances: Ints, kinds: Ints, many: int) -> Iterator[Floats]:
        """The weight of each of `many` kinds, some replicates at a time; `kinds` has that of each of the instances."""
        from scipy.sparse import csr_array  # its module is slow to load, and few tables need it

        ones = np.ones(len(instances))
        belongs = csr_array((ones, (self.groups.members[instances], kinds)), shape=(len(self.groups), many))
        for block in self._blocks():
            yield np.asarray(block @ belongs)

    def _blocks(self) -> Iterator[Singles]:
        """The weight of each group, some replicates at a time."""
        if self._kept:
            yield from self._kept
            return
        replicates, rows = self.bootstrap.replicates, max(1, BLOCK // max(1, len(self.groups)))
        keep = len(self.groups) * replicates * 4 <= KEPT
        blocks = []
        for start in range(0, replicates, rows):
            block = self._block(range(start, min(start + rows, replicates)))
            if keep:
                blocks.append(block)
            yield block
        self._kept = blocks

    def _block(self, replicates: range) -> Singles:
        drawn = uniforms(self.bootstrap.seed, self.groups.names, replicates)
        if self.groups.sizes is None:
            weights = np.negative(np.log(drawn, out=drawn), out=drawn)
        else:
            from scipy.special import gammaincinv

            weights = gammaincinv(self.groups.sizes, drawn) / self.groups.sizes
        if len(self.groups):
            weights *= (self.counts.sum() / (weights @ self.counts))[:, None]
        return weights.astype(np.float32)  # half the memory to go through, again and again


def product(weights: Floats | Singles, features: Floats) -> Floats:
    """The matrix product, a few rows at a time."""
    rows = max(1, SMALL // max(1, features.size))
    chunks = (weights[start : start + rows] for start in range(0, len(weights), rows))
    parts = [chunk.astype(np.float64) @ features for chunk in chunks]
    return np.concatenate(parts)


def joint(kinds: Sequence[Ints]) -> Ints:
    """Number the instances that are alike in every respect the same, from 0."""
    together = np.zeros(len(kinds[0]), dtype=np.int64)
    for index in kinds:
        shifted = index.astype(np.int64) - index.min()
        together = np.unique(together * (shifted.max() + 1) + shifted, return_inverse=True)[1]
    return together
