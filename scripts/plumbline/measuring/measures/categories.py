"""Measures of categories that a judge gives to a question, against the given ones (TICK, appendix A).

An instance is one question; a rater names its categories, several words being several labels. A judge says yes or no
to each category, under the question `category NAME`. Means over instances, as Table 7 must have them: its F1 lies below
the harmonic mean of its precision and recall, and below both of them.
"""

from __future__ import annotations

from typing import NamedTuple

from plumbline.data.labels import CATEGORY
from plumbline.data.verdicts import READINGS, Reading
from plumbline.measuring.cases import Case
from plumbline.measuring.measure import ratio
from plumbline.measuring.units import Observation, observer

PREFIX = f"{CATEGORY} "


class Categorized(NamedTuple):
    """The categories of one instance that a rater gave, and those that a judge found in each reading."""

    given: tuple[str, ...]
    published: tuple[str, ...]
    strict: tuple[str, ...]
    missing: tuple[str, ...]
    marks: tuple[str, ...] = ()
    close: int = 0

    def found(self, reading: Reading) -> tuple[str, ...]:
        return self.published if reading == "as_published" else self.strict

    def both(self, reading: Reading) -> int:
        return len(set(self.given) & set(self.found(reading)))

    def describe(self, reading: Reading) -> str:
        return f"{', '.join(self.given)} | {', '.join(self.found(reading)) or '-'}"


@observer("rater", describes="given | found")
def categorized(case: Case, seen: Observation) -> Categorized | None:
    given = {label.word for label in case.labels if label.rater == seen.rater and label.question == CATEGORY}
    verdicts = [
        verdict
        for verdict in case.verdicts.get(seen.judge, ())
        if verdict.question.startswith(PREFIX) and verdict.sample == seen.sample
    ]
    if not given or not verdicts:
        return None
    published, strict = (
        tuple(sorted(v.question.removeprefix(PREFIX) for v in verdicts if v.said(reading).word == "yes"))
        for reading in READINGS
    )
    missing = tuple(verdict.strict.missing for verdict in verdicts if verdict.strict.missing)
    close = sum(verdict.close for verdict in verdicts)
    return Categorized(tuple(sorted(given)), published, strict, missing, close=close)


@ratio("category_precision", "Precision", categorized, digits=3, missing="wrong")
def category_precision(unit: Categorized, reading: Reading) -> tuple[float, float]:
    """The share of the categories found that are given, on average over instances; 0 where none is found."""
    found = unit.found(reading)
    return unit.both(reading) / len(found) if found else 0.0, 1.0


@ratio("category_recall", "Recall", categorized, digits=3, missing="wrong")
def category_recall(unit: Categorized, reading: Reading) -> tuple[float, float]:
    """The share of the given categories that are found, on average over instances."""
    return unit.both(reading) / len(unit.given), 1.0


@ratio("category_f1", "F1", categorized, digits=3, missing="wrong")
def category_f1(unit: Categorized, reading: Reading) -> tuple[float, float]:
    """The harmonic mean of precision and recall of each instance, on average over instances."""
    return 2 * unit.both(reading) / (len(unit.given) + len(unit.found(reading))), 1.0
