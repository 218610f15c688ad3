"""Judges on the same instances: intervals of each, and which of them differ beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.measuring.bootstrap import Bootstrap, Estimate, Floats, Ints, Resamples


@dataclass(frozen=True)
class Compared:
    """The mean score of some judges, of which each instance has one score each (NaN: none)."""

    scores: Floats
    """An instance a row, a judge a column."""
    draws: Floats
    """A bootstrap sample a row: the same instances for all judges."""
    level: float

    @classmethod
    def of(cls, scores: Floats, bootstrap: Bootstrap, names: tuple[str, ...], clusters: Ints | None = None) -> Compared:
        """With `clusters`, instances that share a number are drawn together."""
        there = ~np.isnan(scores)
        samples = Resamples.of(bootstrap, names, len(scores), clusters)
        totals = samples.totals(np.concatenate([np.where(there, scores, 0.0), there.astype(np.float64)], axis=1))
        sums, counts = np.split(totals, 2, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return cls(scores, sums / counts, bootstrap.level)

    def value(self, judge: int) -> Estimate:
        return Estimate.of(_mean(self.scores[:, judge]), self.draws[:, judge], self.level)

    def difference(self, first: int, second: int) -> Estimate:
        """On the instances that both have a score of."""
        value = _mean(self.scores[:, first] - self.scores[:, second])
        return Estimate.of(value, self.draws[:, first] - self.draws[:, second], self.level)

    def count(self, judge: int) -> int:
        return int((~np.isnan(self.scores[:, judge])).sum())


def _mean(values: Floats) -> float:
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else float("nan")


def mid_p(fewer: int, more: int) -> float:
    """McNemar's test, two-sided with the mid-p correction: whether two opposite changes are equally likely.

    `fewer` and `more` count the changes in either direction, in any order.
    """
    from scipy.stats import binom

    low, n = min(fewer, more), fewer + more
    if not n:
        return 1.0
    tail = float(binom.cdf(low, n, 0.5) - 0.5 * binom.pmf(low, n, 0.5))
    return min(1.0, 2.0 * tail)


def sign_test(first: Floats, second: Floats) -> float:
    """Whether one judge scores higher than another on more instances than the other way round."""
    difference = first - second
    return mid_p(int((difference > 0).sum()), int((difference < 0).sum()))


def holm(values: Sequence[float]) -> list[float]:
    """P-values adjusted for how many there are, by Holm's method."""
    order = np.argsort(values)
    adjusted, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[int(place)] = highest
    return adjusted


def alike(scores: Floats, level: float = 0.05) -> list[tuple[int, int]]:
    """Pairs of judges (columns) that the test cannot tell apart once all pairs are accounted for."""
    pairs = [(a, b) for a in range(scores.shape[1]) for b in range(a)]
    adjusted = holm([sign_test(scores[:, a], scores[:, b]) for a, b in pairs])
    return [pair for pair, p in zip(pairs, adjusted, strict=True) if p > level]


def groups_alike(order: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs of judges in an order (first and last place) within which no two can be told apart; the longest only."""
    together = {frozenset(pair) for pair in pairs}
    runs: list[tuple[int, int]] = []
    for start in range(len(order)):
        end = start
        while end + 1 < len(order) and all(
            frozenset((order[end + 1], order[k])) in together for k in range(start, end + 1)
        ):
            end += 1
        if end > start and not any(a <= start and end <= b for a, b in runs):
            runs.append((start, end))
    return runs
