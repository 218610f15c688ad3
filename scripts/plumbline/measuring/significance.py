"""Significance: p-values of paired differences, alone and corrected after Holm for all of a family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.derived import Result
from plumbline.measuring.paired import holm

NOTHING = 1e-9
"""A difference that is smaller is none, but for the order of additions."""
NO_DIFFERENCE = "only a difference has a p-value"


def p_value(draws: Floats) -> float:
    """Two-sided, from the samples in which both are drawn together: the level at which the interval reaches nothing.

    Twice the share of samples on the rarer side of nothing, one sample more counted on either side; samples without a
    difference are on both.
    """
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return float("nan")
    rarer = min((defined <= NOTHING).sum(), (defined >= -NOTHING).sum())
    return float(min(1.0, 2.0 * (rarer + 1) / (len(defined) + 1)))


def tested(way: str, mine: str, differences: Mapping[str, Result], own: Result) -> Result:
    """The p-value of one difference among those of its table; those without one are no family."""
    if own.lacks:
        return own
    none = np.full(len(own.draws), np.nan)
    found = {name: p_value(result.draws) for name, result in differences.items() if not result.lacks}
    family = {name: value for name, value in found.items() if not np.isnan(value)}
    if mine not in family:
        reason = "" if mine in differences else NO_DIFFERENCE
        return replace(own, value=np.nan, draws=none, se_name="", reason=reason)
    if way == "p_value":
        return replace(own, value=family[mine], draws=none, se_name="")
    corrected = holm(list(family.values()))[list(family).index(mine)]
    return replace(own, value=corrected, draws=none, se_name="", marks=(*own.marks, f"of {len(family)} differences"))
