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
    """Pearson's correlation along the last axis, where both are numbers; NaN where one side does not vary."""
    x, y = where_both(first, second)
    with np.errstate(invalid="ignore", divide="ignore"):
        x, y = (side - np.nansum(side, axis=-1, keepdims=True) / present(side) for side in (x, y))
        return np.asarray(np.nansum(x * y, axis=-1) / np.sqrt(np.nansum(x * x, axis=-1) * np.nansum(y * y, axis=-1)))


def where_both(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Both, with NaN where one of them is no number."""
    one_lacks = np.isnan(first) | np.isnan(second)
    return np.where(one_lacks, np.nan, first), np.where(one_lacks, np.nan, second)


def present(values: Floats) -> Floats:
    """How many are numbers."""
    return np.asarray((~np.isnan(values)).sum(axis=-1, keepdims=True), dtype=np.float64)


def spearman(first: Floats, second: Floats) -> Floats:
    """Pearson's correlation of the ranks, equal values sharing the mean of theirs."""
    from scipy.stats import rankdata  # its module alone takes most of a second to load

    return pearson(*(rankdata(side, axis=-1, nan_policy="omit") for side in where_both(first, second)))


CORRELATIONS = {"pearson": pearson, "spearman": spearman}


def correlated(way: str, first: Sequence[Result], second: Sequence[Result], level: float) -> Result:
    """The correlation of two numbers of each row, with the interval of its replicates: all rows are drawn together."""
    own = first[0]
    both = [(one, other) for one, other in zip(first, second, strict=True) if defined(one) and defined(other)]
    if len(both) < FEWEST:
        return own.without_interval(np.nan, reason=TOO_FEW, n=len(both))
    correlation, sides = CORRELATIONS[way], list(zip(*both, strict=True))
    value = float(correlation(*(np.array([one.value for one in side]) for side in sides)))
    drawn = np.array([[one.draws for one in side] for side in sides]).transpose(0, 2, 1)
    draws = correlation(*drawn[:, ~np.isnan(drawn).any(axis=(0, 2))])
    draws = draws[~np.isnan(draws)]
    low, high = percentiles(draws, level) if len(draws) else (np.nan, np.nan)
    marks = tuple(dict.fromkeys(mark for pair in both for one in pair for mark in one.marks))
    rows = (*marks, f"over {len(both)} rows")
    reason = TOO_FEW if np.isnan(value) else ""
    return own.without_interval(value, n=len(both), bounds=(float(low), float(high)), marks=rows, reason=reason)


def defined(result: Result) -> bool:
    return not (result.lacks or np.isnan(result.value))
