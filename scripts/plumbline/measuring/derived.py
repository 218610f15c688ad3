"""Derived cells: what follows from other cells of a table, sample by sample, and so with an interval of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plumbline.data.verdicts import MISSING
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.crossfit import Chosen
from plumbline.measuring.failing import MeasureFailed
from plumbline.measuring.measure import Measure


@dataclass(frozen=True)
class Result:
    """A value and its bootstrap samples, with what stands behind it; without a value it waits."""

    value: float
    draws: Floats
    n: int
    missing: Mapping[str, int]
    marks: tuple[str, ...]
    se_name: str
    close: int = 0
    waits_for: tuple[str, ...] = ()
    reason: str = ""
    se: float | None = None
    """The standard error by a formula; without one, that of the samples."""

    failed: bool = False
    """Whether its measure failed; the reason says how."""

    @property
    def lacks(self) -> bool:
        """Whether there is nothing to go on from: it waits, or its measure failed."""
        return bool(self.waits_for) or self.failed


def waiting(kinds: tuple[str, ...], reason: str) -> Result:
    return Result(np.nan, np.empty(0), 0, dict.fromkeys(MISSING, 0), (), "", 0, kinds, reason)


def failed(error: MeasureFailed) -> Result:
    return replace(waiting((), str(error)), failed=True)


def lacking(sources: Mapping[str, Result]) -> Result | None:
    """What follows from results waits for whatever one of them waits for, and fails where one of them failed."""
    for name, result in sources.items():
        if result.lacks:
            return replace(result, reason=f"{name}: {result.reason}")
    return None


def combined(way: str, measure: Measure, sources: Mapping[str, Result], pooled: bool = False) -> Result:
    """The mean (of all instances, if pooled), the best or the difference of some results."""
    lacks = lacking(sources)
    if lacks:
        return lacks
    results = list(sources.values())
    if way == "mean":
        sizes = [result.n for result in results] if pooled else None
        return _joined(results, lambda values, axis: np.average(values, axis=axis, weights=sizes), pooled)
    if way == "difference":
        return _joined(results, lambda values, axis: values[0] - values[1])
    return _best(measure, sources)


def error_of(result: Result) -> Result:
    """The standard error of a difference: that of its bootstrap samples, not the difference of two errors."""
    defined = result.draws[~np.isnan(result.draws)]
    error = float(defined.std()) if len(defined) else np.nan
    return replace(result, value=error, draws=np.full(len(result.draws), np.nan))


def _best(measure: Measure, sources: Mapping[str, Result]) -> Result:
    results, highest = list(sources.values()), measure.better == "higher"
    made = _joined(results, np.max if highest else np.min)
    chosen = [name for name, result in sources.items() if result.value == made.value]
    mark = f"best of {len(results)}, chosen on the same instances: {', '.join(chosen)}"
    return replace(made, marks=(*made.marks, mark))


def cross_fitted(chosen: Chosen, sources: Mapping[str, Result]) -> Result:
    """The best, chosen on other instances than it is measured on."""
    joined = _joined(list(sources.values()), np.mean)
    found = chosen.measured
    folds = ", ".join(f"{name} in {count:g}" for name, count in chosen.folds.items() if count)
    mark = f"best of {len(sources)}, chosen on other folds: {folds or 'nothing, as there are none'}"
    return replace(joined, value=found.value, draws=found.draws, n=found.n, marks=(*joined.marks, mark))


def _joined(results: Sequence[Result], of: Callable[..., Any], pooled: bool = False) -> Result:
    missing: Counter[str] = Counter()
    for result in results:
        missing.update(result.missing)
    return Result(
        float(of(np.array([result.value for result in results]), axis=0)),
        of(np.stack([result.draws for result in results]), axis=0),
        (sum if pooled else min)(result.n for result in results),
        {word: missing[word] for word in MISSING},
        tuple(dict.fromkeys(mark for result in results for mark in result.marks)),
        next((result.se_name for result in results if result.se_name), ""),
        sum(result.close for result in results),
    )
