"""Measures of answers about outputs: numbers, and yes or no to questions; and the count of instances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER, Label
from plumbline.data.verdicts import READINGS, Reading, Said, Showing, Verdict, shown
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import measure, ratio
from plumbline.measuring.units import Observation, observer
from plumbline.records.errors import PlumblineError

NUMBERS = {"yes": 1.0, "no": 0.0}
ROUNDING = 1e-12
"""Of a sum of squares, this share may be left over by rounding alone where scores do not vary."""
UNANSWERED = "some questions without an answer"


class Answers(NamedTuple):
    """What a judge answered about one instance: a number to each question, where yes is 1 and no is 0."""

    totals: tuple[float, float]
    """The sum of the answers in each reading."""
    given: tuple[int, int]
    """How many questions have an answer in each reading."""
    asked: int
    missing: tuple[str, ...]
    """Why there is no answer, for each of the others (strict)."""
    close: int = 0
    """How many answers the model's arithmetic alone could turn."""

    @property
    def marks(self) -> tuple[str, ...]:
        return (UNANSWERED,) if self.missing else ()

    def describe(self, reading: Reading) -> str:
        return f"{self.total(reading):g} in {self.answered(reading)} of {self.asked} answers"

    def total(self, reading: Reading) -> float:
        return self.totals[READINGS.index(reading)]

    def answered(self, reading: Reading) -> int:
        return self.given[READINGS.index(reading)]


@observer("question", "systems", describes="sum of the answers, and how many there are")
def answers(case: Case, seen: Observation) -> Answers | None:
    """All that a judge answered: to the question named, or to any but which of the outputs is better."""
    return answers_of(case.instance, case.verdicts.get(seen.judge, ()), seen)


def answers_of(instance: Instance, verdicts: Iterable[Verdict], seen: Observation) -> Answers | None:
    asked = [
        verdict
        for verdict in verdicts
        if (verdict.question == seen.question if seen.question else verdict.question != BETTER)
        and verdict.sample == seen.sample
        and shows(instance, verdict.showing, seen.systems)
    ]
    if not asked:
        return None
    numbers = [[number_of(verdict, reading) for verdict in asked] for reading in READINGS]
    published, strict = ([number for number in found if number is not None] for found in numbers)
    missing = tuple(verdict.strict.missing for verdict in asked if verdict.strict.missing)
    close = sum(verdict.close for verdict in asked)
    return Answers((sum(published), sum(strict)), (len(published), len(strict)), len(asked), missing, close)


def shows(instance: Instance, showing: Showing, systems: Sequence[str]) -> bool:
    """Whether a showing shows outputs of some systems and no others; without systems, any will do."""
    outputs = shown(showing)
    return not systems or (bool(outputs) and all(instance.outputs[output].system in systems for output in outputs))


def number_of(verdict: Verdict, reading: Reading) -> float | None:
    said: Said = verdict.said(reading)
    if said.word is not None and said.word not in NUMBERS:
        raise PlumblineError(
            f"a verdict on {verdict.question!r} is {said.word!r} where a number is measured",
            where=f"instance {verdict.instance}, protocol {verdict.protocol}",
            expected="a number, yes or no",
        )
    return said.number if said.word is None else NUMBERS[said.word]


@ratio("yes", "Yes", answers, unit=PERCENT)
def yes_rate(unit: Answers, reading: Reading) -> tuple[float, float]:
    """The share of all questions that are answered yes (a ratio of sums); no answer is no yes."""
    return unit.total(reading), float(unit.asked)


@ratio("mean", "Mean", answers)
def mean_number(unit: Answers, reading: Reading) -> tuple[float, float] | None:
    """The mean of the numbers said; what is missing is left out, and counted apart."""
    given = unit.answered(reading)
    return (unit.total(reading), float(given)) if given else None


@ratio("unanswered", "No answer", answers, unit=PERCENT, better="lower")
def unanswered(unit: Answers, reading: Reading) -> tuple[float, float]:
    """The share of questions without an answer: unparsed, truncated or refused."""
    return float(unit.asked - unit.answered(reading)), float(unit.asked)


class Scores(NamedTuple):
    """What two judges, or a judge and a rater, score one instance on average."""

    first: tuple[float, float]
    """In each reading."""
    second: tuple[float, float]
    missing: tuple[str, ...]
    marks: tuple[str, ...]
    close: int = 0

    def describe(self, reading: Reading) -> str:
        place = READINGS.index(reading)
        return f"{self.first[place]:g} | {self.second[place]:g}"


@observer("question", "rater", "systems", "against", describes="mean answer | that it is held against")
def two_scores(case: Case, seen: Observation) -> Scores | None:
    """The mean answer of a judge, and that of the other judge or the rater; none where one of them gave none."""
    first = answers_of(case.instance, case.verdicts.get(seen.judge, ()), seen)
    second = rated(case, seen) if seen.against is None else against(case, seen, seen.against)
    if first is None or second is None or not (all(first.given) and all(second.given)):
        return None
    missing = first.missing + second.missing
    marks = (UNANSWERED,) if missing else ()
    return Scores(means(first), means(second), missing, marks, first.close + second.close)


def means(unit: Answers) -> tuple[float, float]:
    return unit.totals[0] / unit.given[0], unit.totals[1] / unit.given[1]


def against(case: Case, seen: Observation, other: Judge) -> Answers | None:
    return answers_of(case.instance, case.verdicts.get(other, ()), seen)


def rated(case: Case, seen: Observation) -> Answers | None:
    """What the rater answered to the same."""
    values = [
        value_of(label)
        for label in case.labels
        if label.rater == seen.rater
        and (label.question == seen.question if seen.question else label.question != BETTER)
        and (not seen.systems or about(case.instance, label) in seen.systems)
    ]
    if not values:
        return None
    total = sum(values)
    return Answers((total, total), (len(values), len(values)), len(values), ())


def about(instance: Instance, label: Label) -> str | None:
    """The system whose output a label is about."""
    return None if label.about is None else instance.outputs[label.about].system


def value_of(label: Label) -> float:
    if label.value is None and label.word not in NUMBERS:
        raise PlumblineError(
            f"the rater {label.rater!r} says {label.word!r} to {label.question!r} where a number is measured",
            where=f"instance {label.instance}",
            expected="a number, yes or no",
        )
    return NUMBERS[label.word] if label.value is None else label.value


def correlation(totals: Floats) -> Floats:
    n, x, y, xx, yy, xy = np.moveaxis(totals, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second, covariance = xx - x * x / n, yy - y * y / n, xy - x * y / n
        varies = (first > ROUNDING * xx) & (second > ROUNDING * yy)
        return np.where(varies, covariance / np.sqrt(np.abs(first * second)), np.nan)


@measure("pearson", "Pearson", two_scores, correlation, digits=3)
def pearson(units: Sequence[Scores], reading: Reading) -> Floats:
    """Pearson's correlation over instances between the judge's mean answers and the rater's, or another judge's."""
    place = READINGS.index(reading)
    scores = np.array([[unit.first[place], unit.second[place]] for unit in units]).reshape(len(units), 2)
    x, y = (scores - scores.mean(axis=0)).T if len(units) else scores.T  # far from 0, squares lose their digits
    return np.stack([np.ones(len(units)), x, y, x * x, y * y, x * y], axis=1)


class Counted(NamedTuple):
    """An instance, for those that only count."""

    missing: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    close: int = 0

    def describe(self, reading: Reading) -> str:
        return "counted"


@observer(describes="itself")
def counted(case: Case, seen: Observation) -> Counted:
    return Counted()


def number_counted(totals: Floats) -> Floats:
    return totals[..., 0]


@measure("count", "n", counted, number_counted, better="neither", digits=0, adds=True, judged=False)
def count(units: Sequence[Counted], reading: Reading) -> Floats:
    """How many instances there are."""
    return np.ones((len(units), 1))
