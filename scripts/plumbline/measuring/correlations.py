"""Correlations of two columns over rows: whether two conditions rank the same systems alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.intervals import percentiles
from plumbline.measuring.results import Result

FEWEST = 3
"""Two rows always lie on a line."""
TOO_FEW = f"fewer than {FEWEST} rows have both, or one of the columns does not vary"
NO_MEAN = "only a row that is the mean of others has a correlation over them"


def pearson(first: Floats, second: Floats) -> Floats:
    """Pearson's correlation along the last axis; NaN where one side does not vary."""
    x = first - first.mean(axis=-1, keepdims=True)
    y = second - second.mean(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((x * y).sum(axis=-1) / np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1)))


def spearman(first: Floats, second: Floats) -> Floats:
    """Pearson's correlation of the ranks, equal values sharing the mean of theirs."""
    from scipy.stats import rankdata  # its module alone takes most of a second to load

    return pearson(rankdata(first, axis=-1), rankdata(second, axis=-1))


CORRELATIONS = {"pearson": pearson, "spearman": spearman}


def correlated(way: str, first: Sequence[Result], second: Sequence[Result], level: float) -> Result:
    """The correlation of two numbers of each row, with the interval of its replicates: all rows are drawn together."""
    own = first[0]
    both = [(one, other) for one, other in zip(first, second, strict=True) if defined(one) and defined(other)]
    if len(both) < FEWEST:
        return own.without_interval(np.nan, reason=TOO_FEW, n=len(both))
    correlation, sides = CORRELATIONS[way], list(zip(*both, strict=True))
    value = float(correlation(*(np.array([one.value for one in side]) for side in sides)))
    draws = correlation(*(np.stack([one.draws for one in side], axis=-1) for side in sides))
    draws = draws[~np.isnan(draws)]
    low, high = percentiles(draws, level) if len(draws) else (np.nan, np.nan)
    marks = tuple(dict.fromkeys(mark for pair in both for one in pair for mark in one.marks))
    rows = (*marks, f"over {len(both)} rows")
    reason = TOO_FEW if np.isnan(value) else ""
    return own.without_interval(value, n=len(both), bounds=(float(low), float(high)), marks=rows, reason=reason)


def defined(result: Result) -> bool:
    return not (result.lacks or np.isnan(result.value))
