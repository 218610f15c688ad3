"""Measures of answers to checklists: pass rate, DRFR, agreement with people, and scores by different checklists.

TICK (sections 3.1.2 and 3.2, appendix B), after InFoBench.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plumbline.data.instances import CHECKLIST
from plumbline.data.labels import Label
from plumbline.data.verdicts import READINGS, Reading
from plumbline.measuring.answers import Scores, correlation
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cases import Case
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.checked import NO, YES, Answered, Checked, Sheet, checked, checked_by, majority
from plumbline.measuring.measures import measure, ratio
from plumbline.measuring.units import Observation, observer
from plumbline.records.errors import PlumblineError


@ratio("drfr", "DRFR", checked, digits=3)
def drfr(unit: Checked, reading: Reading) -> tuple[float, float] | None:
    """The share of all questions that are answered yes (a ratio of sums); no answer is no yes.

    As published, questions that were not asked after an answer without a verdict do not count.
    """
    passed, of = np.sum([sheet.passed(reading) for sheet in unit.sheets] or [(0, 0)], axis=0)
    return (float(passed), float(of)) if of else None


@ratio("pass", "Pass rate", checked, digits=3)
def pass_rate(unit: Checked, reading: Reading) -> tuple[float, float] | None:
    """The mean over responses of the share of questions answered yes; no answer is no yes."""
    rates = [rate for sheet in unit.sheets if (rate := rate_of(sheet, reading)) is not None]
    return (sum(rates), float(len(rates))) if rates else None


def rate_of(sheet: Sheet, reading: Reading) -> float | None:
    passed, of = sheet.passed(reading)
    return passed / of if of else None


@ratio("unanswered_questions", "No answer", checked, unit=PERCENT, better="lower")
def unanswered_questions(unit: Checked, reading: Reading) -> tuple[float, float] | None:
    """The share of a checklist's questions without an answer: unparsed, truncated, refused, or not asked any more."""
    words = [word for sheet in unit.sheets for word in sheet.said(reading)]
    return (float(sum(word not in (YES, NO) for word in words)), float(len(words))) if words else None


class Agreed(NamedTuple):
    """The answers of a judge beside what most people answered to the same questions."""

    answers: Sheet
    people: tuple[str, ...]
    """Empty where they are evenly divided, or nobody answered."""
    missing: tuple[str, ...]
    close: int

    @property
    def marks(self) -> tuple[str, ...]:
        return ("questions without a majority of people",) if "" in self.people else ()

    def describe(self, reading: Reading) -> str:
        both = zip(self.people, self.answers.said(reading), strict=True)
        return ", ".join(f"{people or '-'} | {word}" for people, word in both)


@observer("systems", "category", "votes", describes="majority of people | judge, question by question")
def beside_people(case: Case, seen: Observation) -> Agreed | None:
    """The answers about all outputs, and the majority of the raters who answered the same question about the same."""
    found, answered = checked_by(case, seen, seen.judge), Answered.of(case, seen, seen.judge)
    people = tuple(
        by_people(case.labels, question, output) for output in answered.outputs for question in answered.questions
    )
    if found is None or not any(people):
        return None
    published, strict = (tuple(word for sheet in found.sheets for word in sheet.said(reading)) for reading in READINGS)
    return Agreed(Sheet(published, strict), people, found.missing, found.close)


def by_people(labels: Sequence[Label], question: str, output: int) -> str:
    words = [label.word for label in labels if label.question == question and label.about in (output, None)]
    if words.count(YES) == words.count(NO):
        return ""
    return majority(words)


@ratio("question_acc", "Question-level accuracy", beside_people, digits=3)
def question_accuracy(unit: Agreed, reading: Reading) -> tuple[float, float] | None:
    """The share of questions answered as most people answered them; no answer is wrong (TICK, Table 3b)."""
    both = zip(unit.people, unit.answers.said(reading), strict=True)
    right = [word == people for people, word in both if people]
    return (float(sum(right)), float(len(right))) if right else None


@observer("systems", "against", describes="pass rate | that it is held against")
def two_pass_rates(case: Case, seen: Observation) -> Scores | None:
    """The pass rates of one response by two judges, each with the checklist that it answered."""
    if seen.against is None:
        raise PlumblineError("a pass rate is held against no other judge's", do="name another judge in `against`")
    mine, other = (checked_by(case, seen, judge) for judge in (seen.judge, seen.against))
    return None if mine is None or other is None else both_scores(mine, pass_rates(mine), pass_rates(other))


@observer("systems", describes="number of questions | pass rate")
def length_and_pass_rate(case: Case, seen: Observation) -> Scores | None:
    """How many questions a checklist has, and how many of them pass."""
    found = checked_by(case, seen, seen.judge)
    if found is None or not found.sheets:
        return None
    length = float(len(found.sheets[0].strict))
    return both_scores(found, (length, length), pass_rates(found))


def both_scores(found: Checked, first: tuple[float, float] | None, second: tuple[float, float] | None) -> Scores | None:
    if first is None or second is None:
        return None
    return Scores(first, second, found.missing, found.marks, found.close)


def pass_rates(found: Checked) -> tuple[float, float] | None:
    """The mean pass rate in each reading."""
    totals = [pass_rate(found, reading) for reading in READINGS]
    published, strict = (None if total is None else total[0] / total[1] for total in totals)
    return None if published is None or strict is None else (published, strict)


def sums(units: Sequence[Scores], reading: Reading) -> Floats:
    """What Pearson's correlation is taken from."""
    place = READINGS.index(reading)
    scores = np.array([[unit.first[place], unit.second[place]] for unit in units]).reshape(len(units), 2)
    x, y = scores.T
    return np.stack([np.ones(len(units)), x, y, x * x, y * y, x * y], axis=1)


@measure("pass_pearson", "Score correlation", two_pass_rates, correlation, digits=3)
def pass_pearson(units: Sequence[Scores], reading: Reading) -> Floats:
    """Pearson's correlation over responses between pass rates by two checklists (TICK, Table 3a)."""
    return sums(units, reading)


@measure("length_pearson", "Length correlation", length_and_pass_rate, correlation, better="neither", digits=3)
def length_pearson(units: Sequence[Scores], reading: Reading) -> Floats:
    """Pearson's correlation over responses between a checklist's length and its pass rate (TICK, appendix B.2)."""
    return sums(units, reading)


class Length(NamedTuple):
    """How many different questions an instance's checklist has."""

    questions: int
    missing: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    close: int = 0

    def describe(self, reading: Reading) -> str:
        return f"{self.questions} questions"


@observer(describes="questions of the checklist")
def checklist_length(case: Case, seen: Observation) -> Length | None:
    questions = case.instance.context.get(CHECKLIST)
    return None if questions is None else Length(len(dict.fromkeys(questions)))


@ratio("questions", "Questions", checklist_length, better="neither", digits=2, judged=False)
def number_of_questions(unit: Length, reading: Reading) -> tuple[float, float]:
    """The mean number of different questions of a checklist."""
    return float(unit.questions), 1.0


@ratio("two_to_eight", "2 to 8 questions", checklist_length, unit=PERCENT, judged=False)
def two_to_eight(unit: Length, reading: Reading) -> tuple[float, float]:
    """The share of checklists with two to eight questions, as the paper's prompt asks for (TICK, appendix G.1)."""
    return float(2 <= unit.questions <= 8), 1.0
