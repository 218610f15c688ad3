"""Measures of how far scores lie from people's ratings: Kendall's and Pearson's distance (riSum, section 4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plumbline.data.verdicts import READINGS, Reading
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cases import Case
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import measure
from plumbline.measuring.measures.answers import correlation
from plumbline.measuring.measures.scoring import OutputOptions, Outputs, outputs, tables
from plumbline.measuring.rankings import Orders, as_values, mean_value, standard_error
from plumbline.measuring.units import Observation, observer

INVERSE = "inverse: the scores fall where ratings rise"
UNORDERED = "scores without an order, so a distance of ½"
ALONE: dict[Reading, str] = {"as_published": "as published alone", "strict": "strictly alone"}


def orders(units: Sequence[Outputs], reading: Reading) -> Orders:
    """Strictly, an output without a score is ranked with none, so that not answering is no way to a short distance."""
    return Orders.of(*tables(units, reading), missing_ties=reading == "strict")


@observer(options=OutputOptions, describes=outputs.describes)
def ranked_outputs(case: Case, seen: Observation[OutputOptions]) -> Outputs | None:
    """The same, marked where the scores put no output before another, though people do."""
    unit: Outputs | None = outputs.see(case, seen)
    if unit is None:
        return None
    unordered = [reading for reading in READINGS if orders([unit], reading).only_people[0]]
    if len(unordered) == len(READINGS):
        return unit._replace(marks=(*unit.marks, UNORDERED))
    return unit._replace(marks=(*unit.marks, *(f"{UNORDERED} ({ALONE[reading]})" for reading in unordered)))


def distances(units: Sequence[Outputs], reading: Reading) -> Floats:
    return as_values(orders(units, reading).distances)


@measure(
    "tau_distance_se",
    "SE",
    ranked_outputs,
    standard_error,
    unit=PERCENT,
    better="lower",
    missing=("dropped", "wrong"),
    kind="percentiles",
)
def tau_error(units: Sequence[Outputs], reading: Reading) -> Floats:
    """The standard error of the mean rank distance: its standard deviation over the root of their number."""
    return distances(units, reading)


@measure(
    "tau_distance",
    "Kendall's distance",
    ranked_outputs,
    mean_value,
    unit=PERCENT,
    better="lower",
    error="tau_distance_se",
    undefined="no ranking, as people tie all outputs or too few have a score",
    missing=("dropped", "wrong"),
)
def tau_distance(units: Sequence[Outputs], reading: Reading) -> Floats:
    """The mean over instances of (1 - tau-b) / 2 between people's ranking of the outputs and the judge's, with ties.

    Where people tie all outputs there is none (riSum, section 4.2, leaves out 9 of 300). Where the judge alone ties
    them, tau-b is not defined either, but riSum counts the same 291 for every method, one that counts sentences
    included: such an instance has the distance of a ranking at random, a half. An output without a score is left out
    as published, and strictly tied with every other.
    """
    return distances(units, reading)


def sums(units: Sequence[Outputs], reading: Reading) -> Floats:
    """Per unit the totals that a correlation is taken from, and how many values are read as published."""
    ratings, scores = tables(units, reading)
    paired = ~np.isnan(scores)
    x, y = (np.where(paired, part - _mean(part[paired]), 0.0) for part in (scores, ratings))
    columns = [paired, x, y, x * x, y * y, x * y, paired * float(reading == "as_published")]
    features = np.stack([column.sum(axis=1) for column in columns], axis=1).astype(np.float64)
    return np.where(paired.any(axis=1, keepdims=True), features, np.nan)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0


def linear(totals: Floats) -> Floats:
    return correlation(totals[..., :6])


def linear_distance(totals: Floats) -> Floats:
    return np.asarray(np.maximum(1.0 - np.abs(linear(totals)), 0.0))


def inverse(totals: Floats) -> str:
    return INVERSE if linear(totals) < 0 else ""


def linear_error(totals: Floats) -> Floats:
    """The root of (1 - r²) / (n - 2); as published, with the distance in place of r. Of two values there is none."""
    r = linear(totals)
    instead = np.where(totals[..., 6] > 0, 1.0 - np.abs(r), r)
    with np.errstate(invalid="ignore", divide="ignore"):
        errors = np.sqrt((1.0 - instead * instead) / (totals[..., 0] - 2.0))
    return np.where(totals[..., 0] > 2.0, errors, np.nan)


@measure(
    "pearson_distance_se",
    "SE",
    outputs,
    linear_error,
    unit=PERCENT,
    better="lower",
    missing="dropped",
    kind="percentiles",
)
def pearson_error(units: Sequence[Outputs], reading: Reading) -> Floats:
    """The standard error of Pearson's r. As published, with 1 - |r| in place of r: riSum's Table 4 fits that alone."""
    return sums(units, reading)


@measure(
    "pearson_distance",
    "Pearson's distance",
    outputs,
    linear_distance,
    unit=PERCENT,
    better="lower",
    error="pearson_distance_se",
    missing="dropped",
    kind="linear distance",
    remark=inverse,
)
def pearson_distance(units: Sequence[Outputs], reading: Reading) -> Floats:
    """1 - |r| over all outputs, where r is Pearson's correlation of the scores with people's mean ratings.

    Scores that fall where ratings rise are as near as scores that rise with them: `pearson_r` has the sign.
    """
    return sums(units, reading)


@measure("pearson_r", "Pearson's r", outputs, linear, digits=2, missing="dropped", kind="correlation")
def signed_correlation(units: Sequence[Outputs], reading: Reading) -> Floats:
    """Pearson's correlation of the scores with people's mean ratings over all outputs, with its sign."""
    return sums(units, reading)
