"""Derived cells: what follows from other cells of a table, sample by sample, and so with an interval of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from plumbline.data.verdicts import MISSING
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.measures import Measure
from plumbline.records.errors import PlumblineError


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

    @property
    def waits(self) -> bool:
        return bool(self.waits_for)


def waiting(kinds: tuple[str, ...], reason: str) -> Result:
    return Result(np.nan, np.empty(0), 0, dict.fromkeys(MISSING, 0), (), "", 0, kinds, reason)


def combined(way: str, measure: Measure, sources: Mapping[str, Result]) -> Result:
    """The mean, the best or the difference of some results; it waits for whatever one of them waits for."""
    for name, result in sources.items():
        if result.waits:
            return waiting(result.waits_for, f"{name}: {result.reason}")
    results = list(sources.values())
    if way == "mean":
        return _joined(results, np.mean)
    if way == "difference":
        return _joined(results, lambda values, axis: values[0] - values[1])
    return _best(measure, sources)


def _best(measure: Measure, sources: Mapping[str, Result]) -> Result:
    if measure.better == "neither":
        raise PlumblineError(f"no way of {measure.title} is better, so there is no best", do="take another measure")
    results, highest = list(sources.values()), measure.better == "higher"
    made = _joined(results, np.max if highest else np.min)
    chosen = [name for name, result in sources.items() if result.value == made.value]
    mark = f"best of {len(results)}, chosen on the same instances: {', '.join(chosen)}"
    return replace(made, marks=(*made.marks, mark))


def ranked(measure: Measure, mine: str, rivals: Mapping[str, Result]) -> Result:
    """The place of one among its rivals, itself included, 1 the best; equal ones share the better place."""
    if rivals[mine].waits:
        return rivals[mine]
    present = {name: result for name, result in rivals.items() if not result.waits}
    sign = -1.0 if measure.better == "lower" else 1.0
    own, others = present[mine], list(present.values())
    values = sign * np.array([result.value for result in others])
    draws = sign * np.stack([result.draws for result in others])
    place = float(1 + (values > sign * own.value).sum())
    places = 1.0 + (draws > sign * own.draws).sum(axis=0)
    if np.isnan(own.value):
        place, places = np.nan, np.full(len(places), np.nan)
    return Result(place, places, own.n, own.missing, (f"of {len(others)}",), own.se_name, own.close)


def _joined(results: Sequence[Result], of: object) -> Result:
    assert callable(of)
    missing: Counter[str] = Counter()
    for result in results:
        missing.update(result.missing)
    return Result(
        float(of(np.array([result.value for result in results]), axis=0)),
        of(np.stack([result.draws for result in results]), axis=0),
        min(result.n for result in results),
        {word: missing[word] for word in MISSING},
        tuple(dict.fromkeys(mark for result in results for mark in result.marks)),
        next((result.se_name for result in results if result.se_name), ""),
        sum(result.close for result in results),
    )
