"""Rankings of a few outputs of one instance: Kendall's tau-b, expected places, winners; and means of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.measuring.bootstrap import Floats

AT_RANDOM = 0.5
"""The mean distance of a ranking drawn at random from any other (riSum, section 4.2)."""


class Orders(NamedTuple):
    """Of each row of two tables (instances, outputs): how many pairs of outputs both order, and each of them."""

    agree: Floats
    """Pairs in the same order less pairs in the other."""
    people: Floats
    judge: Floats

    @classmethod
    def of(cls, ratings: Floats, scores: Floats, missing_ties: bool = False) -> Orders:
        """NaN values are left out; with `missing_ties`, an output without a score is tied with every other."""
        agree, people, judge = (np.zeros(len(ratings)) for _ in range(3))
        for a, b in combinations(range(ratings.shape[1]), 2):
            x, y = np.sign(ratings[:, a] - ratings[:, b]), np.sign(scores[:, a] - scores[:, b])
            y = np.nan_to_num(y) if missing_ties else y
            both = ~np.isnan(x) & ~np.isnan(y)
            x, y = np.where(both, x, 0.0), np.where(both, y, 0.0)
            agree, people, judge = agree + x * y, people + x * x, judge + y * y
        return cls(agree, people, judge)

    @property
    def only_people(self) -> NDArray[np.bool_]:
        """Where people order some outputs and the judge none of them, so that tau-b is not defined."""
        return np.asarray((self.people > 0) & (self.judge == 0))

    @property
    def distances(self) -> Floats:
        """(1 - tau-b) / 2: 0 is the same ranking, 1 the reverse; NaN where people tie all outputs that count.

        Where the judge alone does, it is what a ranking at random has on average.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            distances = (1.0 - self.agree / np.sqrt(self.people * self.judge)) / 2.0
        return np.where(self.only_people, AT_RANDOM, distances)


@dataclass(frozen=True)
class Chance:
    """A value that is drawn at random: each with its probability."""

    values: Floats
    chances: Floats

    @classmethod
    def sure(cls, value: float) -> Chance:
        return cls(np.array([value]), np.ones(1))

    @classmethod
    def mode(cls, ratings: Sequence[float]) -> Chance:
        """The most frequent rating; one of them drawn at random where several are."""
        counts = Counter(ratings)
        most = max(counts.values())
        modes = sorted(value for value, count in counts.items() if count == most)
        return cls(np.array(modes, dtype=np.float64), np.full(len(modes), 1.0 / len(modes)))

    @cached_property
    def mean(self) -> float:
        return float(self.values @ self.chances)

    @cached_property
    def variance(self) -> float:
        return float(((self.values - self.mean) ** 2) @ self.chances)

    def above(self, value: float) -> float:
        return float(self.chances[self.values > value].sum())

    def at(self, value: float) -> float:
        return float(self.chances[self.values == value].sum())


def place(mine: Chance, others: Sequence[Chance]) -> tuple[float, float]:
    """Expectation and variance of the place of a value among others, 1 the highest, ties broken at random.

    With a random number u for each to break ties, the events that one of the others is above are independent, each of
    the probability p + q u, where p is that it is higher and q that it is equal; what remains are integrals over u.
    """
    mean = square = 0.0
    for value, chance in zip(mine.values, mine.chances, strict=True):
        p = np.array([other.above(float(value)) for other in others])
        q = np.array([other.at(float(value)) for other in others])
        each = p + q / 2.0
        pairs = np.outer(p, p) + (np.outer(p, q) + np.outer(q, p)) / 2.0 + np.outer(q, q) / 3.0
        count = each.sum()
        counts = count + pairs.sum() - np.trace(pairs)
        mean += chance * (1.0 + count)
        square += chance * (1.0 + 2.0 * count + counts)
    return float(mean), max(float(square - mean * mean), 0.0)


def as_values(values: Floats) -> Floats:
    """Features for the mean of a value and its standard error, one value a unit."""
    return np.stack([np.ones(len(values)), values, values * values, np.zeros(len(values))], axis=1)


def mean_value(totals: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(totals[..., 1] / totals[..., 0])


def standard_error(totals: Floats) -> Floats:
    """Of a mean, from totals (…, 4): how many values, their expectations, the squares of these, their variances.

    Where ties are broken at random, it is the root of the expected square of the error of one run.
    """
    n, x, xx, variances = np.moveaxis(totals, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.maximum(xx - x * x / n, 0.0) / (n - 1.0)
        return np.asarray(np.sqrt((spread + variances / n) / n))


def winners(values: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which outputs of each row have its highest value; NaN wins nothing."""
    best = np.where(np.isnan(values), -np.inf, values).max(axis=1, keepdims=True)
    return np.asarray(values == best)
