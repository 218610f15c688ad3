"""Places: where one stands among its rivals, alone or in groups that cannot be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.special import ndtri

from plumbline.data.verdicts import Reading
from plumbline.measuring.bootstrap import Estimate
from plumbline.measuring.derived import Result
from plumbline.measuring.measure import Measure


def ranked(measure: Measure, mine: str, rivals: Mapping[str, Result]) -> Result:
    """The place of one among its rivals, itself included, 1 the best; equal ones share the better place."""
    if rivals[mine].lacks:
        return rivals[mine]
    present = {name: result for name, result in rivals.items() if not result.lacks}
    sign = -1.0 if measure.better == "lower" else 1.0
    own, others = present[mine], list(present.values())
    values = sign * np.array([result.value for result in others])
    draws = sign * np.stack([result.draws for result in others])
    place = float(1 + (values > sign * own.value).sum())
    places = np.where(np.isnan(own.draws), np.nan, 1.0 + (draws > sign * own.draws).sum(axis=0))
    place = np.nan if np.isnan(own.value) else place
    return Result(place, places, own.n, own.missing, (f"of {len(others)}",), own.se_name, own.close)


def group_ranked(measure: Measure, mine: str, rivals: Mapping[str, Result], reading: Reading, level: float) -> Result:
    """The place of the best of its group (HREF, Table 5): as published by binomial intervals, strictly by our own."""
    if rivals[mine].lacks:
        return rivals[mine]
    present = {name: result for name, result in rivals.items() if not (result.lacks or np.isnan(result.value))}
    own = rivals[mine]
    none = np.full(len(own.draws), np.nan)
    marks = (f"of {len(present)}",)
    if mine not in present:
        return Result(np.nan, none, own.n, own.missing, marks, "", own.close)
    if reading == "as_published":
        intervals = [binomial(result, level) for result in present.values()]
    else:
        estimates = [Estimate.of(result.value, result.draws, level) for result in present.values()]
        intervals = [(estimate.low, estimate.high) for estimate in estimates]
    sign = -1.0 if measure.better == "lower" else 1.0
    bounds = [sorted((sign * low, sign * high)) for low, high in intervals]
    places = group_places([sign * result.value for result in present.values()], bounds)
    return Result(float(places[list(present).index(mine)]), none, own.n, own.missing, marks, "", own.close)


def group_places(values: Sequence[float], bounds: Sequence[Sequence[float]]) -> list[int]:
    """From the highest value down, each has the place of the last leader; who no longer overlaps it leads the next."""
    order = sorted(range(len(values)), key=lambda number: -values[number])
    places, leader, place = [0] * len(values), -1, 0
    for position, number in enumerate(order, start=1):
        if leader < 0 or bounds[number][1] < bounds[leader][0]:
            leader, place = number, position
        places[number] = place
    return places


def binomial(result: Result, level: float) -> tuple[float, float]:
    """The usual interval of a percentage of n instances, each drawn by itself."""
    share = result.value / 100.0
    spread = float(ndtri((1 + level) / 2)) * np.sqrt(max(share * (1 - share), 0.0) / result.n)
    return 100.0 * (share - spread), 100.0 * (share + spread)
