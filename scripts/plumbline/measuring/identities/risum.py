"""Identities of riSum's printed tables: standard errors from the values beside them, and what must add up."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from plumbline.measuring.identity import Finding, identity
from plumbline.measuring.printed import Printed
from plumbline.measuring.roc import hanley_mcneil

PAIRS, ANSWERS = 300, 900
FOLLOWING = 794
"""Answers that most raters say follow the instruction: what Table 3a's majorities add up to."""
MODELS = ("F-PaLM 2-S", "F-PaLM 2-Sc", "GPT-3.5")
ROUNDED = 0.05
"""By how much a figure with one digit may be off."""


def with_slack(place: str, printed: float, value: float, error_of: Callable[[float], float]) -> Finding:
    """A standard error in percent, from a printed value that is rounded itself."""
    error = error_of(value)
    slack = max(abs(error_of(value + off) - error) for off in (-ROUNDED, ROUNDED))
    return Finding(place, printed, error, digits=1, slack=slack)


def of_area(percent: float) -> float:
    area, positive, negative = np.array(percent / 100), np.array(FOLLOWING), np.array(ANSWERS - FOLLOWING)
    return 100 * float(hanley_mcneil(area, positive, negative))


def of_distance(percent: float) -> float:
    return 100 * math.sqrt((1 - (percent / 100) ** 2) / (ANSWERS - 2))


def of_share(n: int) -> Callable[[float], float]:
    return lambda percent: math.sqrt(percent * (100 - percent) / n)


@identity("risum", "794 of 900 answers follow their instruction, by majority")
def following(printed: Printed) -> Iterator[Finding]:
    """The positive answers of Table 4's areas, from Table 3a's majorities of 300 answers each."""
    shares = [printed["table3a"].value("FI Maj.", model, "rated") for model in MODELS]
    counted = sum(share / 100 * PAIRS for share in shares)
    yield Finding("table3a, FI Maj.", FOLLOWING, counted, slack=len(MODELS) * ROUNDED / 100 * PAIRS)


@identity("risum", "The standard error of an AUC is Hanley and McNeil's, with 794 positive and 106 negative answers")
def errors_of_areas(printed: Printed) -> Iterator[Finding]:
    """Section 4.1 names no formula."""
    table = printed["table4"]
    for row in table.rows:
        value, error = table.row(row, ("AUC ROC", "AUC ROC SE"))
        yield with_slack(f"table4, {row}, AUC ROC SE", error, value, of_area)


@identity("risum", "The standard error of a Pearson distance d is the root of (1 - d²) / (n - 2), though d is not r")
def errors_of_distances(printed: Printed) -> Iterator[Finding]:
    """Section 4.2 names no formula; that of a correlation has r where the distance stands here."""
    table = printed["table4"]
    for row in table.rows:
        value, error = table.row(row, ("Pearson", "Pearson SE"))
        yield with_slack(f"table4, {row}, Pearson SE", error, value, of_distance)


@identity("risum", "The standard error of a share of yes is the root of p q / n")
def errors_of_shares(printed: Printed) -> Iterator[Finding]:
    """Table 3a: majorities of 300 answers, and 900 single ratings."""
    table = printed["table3a"]
    for row, n in (("FI Maj.", PAIRS), ("FI None", ANSWERS)):
        for model in MODELS:
            value, error = table.value(row, model, "rated"), table.value(row, model, "rated_se")
            yield with_slack(f"table3a, {row}, {model}", error, value, of_share(n))


@identity("risum", "The places of three models add up to 6")
def places(printed: Printed) -> Iterator[Finding]:
    """Table 3b: 1 + 2 + 3, however ties are broken."""
    table = printed["table3b"]
    for row in table.rows:
        total = sum(table.value(row, model, "place") for model in MODELS)
        yield Finding(f"table3b, {row}", 6.0, total, digits=2, slack=2 * 0.005)


@identity("risum", "Places without aggregation are those of the mean ratings")
def places_without_aggregation(printed: Printed) -> Iterator[Finding]:
    """Table 3b: the caption says n = 900 for None, but its places and their errors are those of n = 300 means."""
    table = printed["table3b"]
    for question in ("FI", "HW"):
        for model in MODELS:
            for metric in ("place", "place_se"):
                none, mean = (table.value(f"{question} {how}", model, metric) for how in ("None", "Mean"))
                yield Finding(f"table3b, {question} None, {model}, {metric}", none, mean, digits=2)


@identity("risum", "Every share of Table 5 is that of a whole number of pairs")
def whole_numbers(printed: Printed) -> Iterator[Finding]:
    """Agreement and disagreement of 300 document-instruction pairs, the own family of those that disagree."""
    table = printed["table5"]
    for row in table.rows:
        agreeing, disagreeing, own = table.row(row, ("Perfect agreement", "Disagreement", "Prefers own LM family"))
        differ = round(disagreeing / 100 * PAIRS)
        parts = ((agreeing, PAIRS, "Perfect agreement"), (disagreeing, PAIRS, "Disagreement"))
        for share, of, column in (*parts, (own, differ, "Prefers own LM family")):
            whole = round(share / 100 * of)
            yield Finding(f"table5, {row}, {column}", share, 100 * whole / of, digits=1)
