"""The best of several, chosen on other instances than it is measured on.

Clusters are dealt to folds. Each fold is measured with what is best on all the others, and the folds are added up. The
standard error is that of the whole procedure: under the weights of every replicate it is chosen anew, fold by fold, so
that nothing is ever chosen on what it is measured on.

Where several are nearly or equally good, other replicates choose others, and the interval is wider than need be; the
best as published is too high there (`test_crossfit.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from plumbline.data.verdicts import Reading
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.measure import Measure
from plumbline.measuring.measured import Measured, over, spread
from plumbline.measuring.parts import Part
from plumbline.records.errors import PlumblineError

EQUAL = 1e-9
"""Values that differ by less are equally good; they count with the same weight."""


Run = Sequence[Part]
"""What one run of a judge gave, in each stratum."""


class Chosen(NamedTuple):
    """The value of what is chosen, and in how many folds each was."""

    measured: Measured
    folds: dict[str, float]


def cross_fitted(measure: Measure, rivals: Mapping[str, Sequence[Run]], reading: Reading, pooled: bool) -> Chosen:
    """The value that choosing among rivals gives; each rival's runs are measured on the same strata."""
    if measure.weighed:
        raise PlumblineError(
            f"the best by {measure.title} cannot be chosen on other instances than it is measured on",
            do="take a measure that adds up over instances, or name the row",
        )
    folded = [[[part.folded(measure, reading) for part in run] for run in runs] for runs in rivals.values()]
    value, weights = choose(measure, [[[part.total for part in run] for run in runs] for runs in folded], pooled)
    draws, _ = choose(measure, [[[part.draws for part in run] for run in runs] for runs in folded], pooled)
    n = min(sum(part.n for part in runs[0]) for runs in folded)
    parts = [part for runs in folded for run in runs for part in run]
    used = np.any([(part.total != 0).any(axis=-1) for part in parts], axis=0)
    folds = {name: float(weight[used].sum()) for name, weight in zip(rivals, weights, strict=True)}
    drawn = min(part.weights.groups.drawn for runs in rivals.values() for part in runs[0])
    return Chosen(Measured(float(value), spread(float(value), draws, drawn), n), folds)


def choose(measure: Measure, rivals: Sequence[Sequence[Sequence[Floats]]], pooled: bool) -> tuple[Floats, Floats]:
    """The value of totals (rival, run, part; …, fold, feature) where each fold is chosen for by the others; weights.

    A rival is as good as the mean of its runs; where one has fewer than others, they are gone through again. A fold
    whose choice is open, since the others say nothing of any rival, leaves the value undefined.
    """
    sign = 1.0 if measure.better == "higher" else -1.0
    scores = sign * np.stack([np.mean([over(measure, others(run), pooled) for run in runs], axis=0) for runs in rivals])
    scores = np.where(np.isnan(scores), -np.inf, scores)
    best = scores.max(axis=0)
    chosen = (scores >= best - EQUAL) & np.isfinite(best)
    with np.errstate(invalid="ignore"):
        weights = chosen / chosen.sum(axis=0)
    most = max(len(runs) for runs in rivals)
    values = [
        over(measure, held([runs[number % len(runs)] for runs in rivals], weights), pooled) for number in range(most)
    ]
    return np.asarray(np.mean(values, axis=0)), np.nan_to_num(weights)


def others(run: Sequence[Floats]) -> list[Floats]:
    """The totals of all folds but each."""
    return [part.sum(axis=-2, keepdims=True) - part for part in run]


def held(rivals: Sequence[Sequence[Floats]], weights: Floats) -> list[Floats]:
    """The totals of each part, each fold those of the rivals that are chosen for it."""
    open_ = np.isnan(weights[0])
    totals = []
    for part in range(len(rivals[0])):
        each = np.stack([parts[part] for parts in rivals])
        needed = (each != 0).any(axis=(0, -1))
        used = np.where(open_ & ~needed, 0.0, weights)
        totals.append((used[..., None] * each).sum(axis=(0, -2)))
    return totals
