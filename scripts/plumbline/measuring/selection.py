"""Best of n: what a scorer that keeps the highest score of n drawn candidates is expected to choose.

Which n of the candidates are drawn is averaged out exactly: each of the sets of n is as likely as any other, and what
is chosen from one follows from how many candidates are scored higher, equally and lower. A candidate without a score is
chosen only where nothing drawn has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb, inf

Score = float | None
KNOWN = 1 << 14


@lru_cache(KNOWN)
def weights(scores: tuple[Score, ...], n: int) -> tuple[float, ...]:
    """How much each candidate counts in the mean of what is chosen, where those with the same highest score share."""
    ordered = [-inf if score is None else score for score in scores]
    total = comb(len(ordered), n)

    def weight(score: float) -> float:
        tied, lower = ordered.count(score), sum(other < score for other in ordered)
        return (comb(tied + lower, n) - comb(lower, n)) / total / tied

    by_score = {score: weight(score) for score in set(ordered)}
    return tuple(by_score[score] for score in ordered)


@lru_cache(KNOWN)
def precision(scores: tuple[Score, ...], worths: tuple[float, ...], n: int) -> float:
    """The expected share of what is chosen that is worth as much as anything drawn (TICK, section 4.2)."""
    ordered = [-inf if score is None else score for score in scores]
    candidates = list(zip(ordered, worths, strict=True))

    def part(score: float, worth: float) -> float:
        """Of sets in which this candidate is chosen and nothing is worth more: 1 over how many are chosen."""
        no_better = [other for other, of in candidates if of <= worth]
        tied, lower = no_better.count(score) - 1, sum(other < score for other in no_better)
        chosen = range(1, min(tied + 1, n) + 1)
        return sum(comb(tied, count - 1) * comb(lower, n - count) / count for count in chosen)

    return sum(part(*candidate) for candidate in candidates) / comb(len(candidates), n)


def expected(values: Sequence[float], weight: Sequence[float]) -> float:
    return sum(value * share for value, share in zip(values, weight, strict=True))
