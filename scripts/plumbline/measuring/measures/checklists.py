"""Measures of answers to checklists: pass rate, DRFR, agreement with people, and scores by different checklists.

TICK (sections 3.1.2 and 3.2, appendix B), after InFoBench.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from plumbline.data.labels import Label
from plumbline.data.verdicts import READINGS, Reading
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.checked import (
    NO,
    YES,
    AnswerSheet,
    Checked,
    ChecklistOptions,
    ChecklistVerdicts,
    checked,
    checked_by,
    majority,
    own_questions,
)
from plumbline.measuring.measure import LEFT_OUT, measure, ratio
from plumbline.measuring.measures.answers import (
    AnswerOptions,
    Score,
    Scores,
    answers_of,
    correlation,
    means,
    sums,
)
from plumbline.measuring.options import AgainstOptions, SystemOptions
from plumbline.measuring.units import Observation, observer
from plumbline.records.errors import PlumblineError

NO_PASS_RATE = "no pass rate"


@ratio("drfr", "DRFR", checked, digits=3, missing="wrong", undefined=NO_PASS_RATE)
def drfr(unit: Checked, reading: Reading) -> tuple[float, float] | None:
    """The share of all questions that are answered yes (a ratio of sums); no answer is no yes.

    A response without any answer is left out. As published, questions that were not asked after an answer without a
    verdict do not count.
    """
    passed, of = np.sum([sheet.passed(reading) for sheet in unit.sheets] or [(0, 0)], axis=0)
    return (float(passed), float(of)) if of else None


@ratio("pass", "Pass rate", checked, digits=3, missing="wrong", undefined=NO_PASS_RATE)
def pass_rate(unit: Checked, reading: Reading) -> tuple[float, float] | None:
    """The mean over responses of the share of questions answered yes; no answer is no yes, and a response without any
    has no pass rate."""
    rates = [passed / of for passed, of in (sheet.passed(reading) for sheet in unit.sheets) if of]
    return (sum(rates), float(len(rates))) if rates else None


@ratio("unanswered_questions", "No answer", checked, unit=PERCENT, better="lower", missing="category")
def unanswered_questions(unit: Checked, reading: Reading) -> tuple[float, float] | None:
    """The share of a checklist's questions without an answer: unparsed, truncated, refused, or not asked any more."""
    words = [word for sheet in unit.sheets for word in sheet.outcome(reading)]
    return (float(sum(word not in (YES, NO) for word in words)), float(len(words))) if words else None


class Agreed(NamedTuple):
    """The answers of a judge beside what most people, or another judge, answered to the same questions."""

    answers: AnswerSheet
    others: AnswerSheet
    """Empty where people are evenly divided, or nobody answered."""
    missing: tuple[str, ...]
    close: int
    marks: tuple[str, ...] = ()

    def describe(self, reading: Reading) -> str:
        both = zip(self.others.outcome(reading), self.answers.outcome(reading), strict=True)
        return ", ".join(f"{other or '-'} | {word}" for other, word in both)


@dataclass(frozen=True)
class AgreementOptions(ChecklistOptions, AgainstOptions):
    """Of measures that hold answers to checklists against those of most people, or of another judge."""


@observer(options=AgreementOptions, describes="majority of people | judge, question by question")
def beside_people(case: Case, seen: Observation[AgreementOptions]) -> Agreed | None:
    """The answers about all outputs, and the majority of the raters who answered the same question about the same, or
    what another judge answered first: if neither yes nor no, nothing agrees with it."""
    answers = checked_by(case, seen.judge, seen.sample, seen.options)
    verdicts = ChecklistVerdicts.of(case, seen.judge, seen.sample, seen.options)
    places = [(question, output) for output in verdicts.outputs for question in verdicts.questions]
    if other := seen.options.against.judge:
        published, strict = (by_judge(case, seen, other, places, reading) for reading in READINGS)
        others = AnswerSheet(published, strict)
        mark = "questions that the other judge was not asked"
    else:
        majorities = tuple(by_people(case.labels, *place) for place in places)
        others, mark = AnswerSheet(majorities, majorities), "questions without a majority of people"
    if answers is None or not any(others.strict):
        return None
    published, strict = (
        tuple(word for sheet in answers.sheets for word in sheet.outcome(reading)) for reading in READINGS
    )
    marks = (mark,) if "" in others.strict else ()
    return Agreed(AnswerSheet(published, strict), others, answers.missing, answers.close, marks)


def by_judge(
    case: Case,
    seen: Observation[ChecklistOptions],
    judge: Judge,
    places: Sequence[tuple[str, int]],
    reading: Reading,
) -> tuple[str, ...]:
    """What another judge answered first to each question about each output; nothing where it was not asked."""
    words: dict[tuple[str, int], str] = {}
    first = ChecklistVerdicts.of(case, judge, seen.sample, replace(seen.options, votes=0))
    for output, verdicts in first.outputs.items():
        for verdict in verdicts:
            words.setdefault((verdict.question, output), str(verdict.outcome(reading)))
    return tuple(words.get(place, "") for place in places)


def by_people(labels: Sequence[Label], question: str, output: int) -> str:
    words = [label.word for label in labels if label.question == question and label.about in (output, None)]
    if words.count(YES) == words.count(NO):
        return ""
    return majority(words)


@ratio("question_acc", "Question-level accuracy", beside_people, digits=3, missing="wrong")
def question_accuracy(unit: Agreed, reading: Reading) -> tuple[float, float] | None:
    """The share of questions answered as most people, or another judge, answered them; no answer is wrong (TICK,
    Table 3b)."""
    both = zip(unit.others.outcome(reading), unit.answers.outcome(reading), strict=True)
    right = [word == other in (YES, NO) for other, word in both if other]
    return (float(sum(right)), float(len(right))) if right else None


class AnswerCount(NamedTuple):
    """How many answers count, to how many questions."""

    answers: int
    questions: int
    missing: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    close: int = 0

    def describe(self, reading: Reading) -> str:
        return f"{self.answers} answers to {self.questions} questions"


@observer(options=ChecklistOptions, describes="answers that count")
def answers_counted(case: Case, seen: Observation[ChecklistOptions]) -> AnswerCount | None:
    answered = ChecklistVerdicts.of(case, seen.judge, seen.sample, seen.options)
    counts = Counter((v.question, v.showing) for verdicts in answered.outputs.values() for v in verdicts)
    asked = {place: count for place, count in counts.items() if place[0] in answered.questions}
    return (
        AnswerCount(sum(min(count, seen.options.votes or 1) for count in asked.values()), len(asked)) if asked else None
    )


@ratio("answers", "Answers a question", answers_counted, better="neither", digits=1, missing="none", kind="mean")
def answers_a_question(unit: AnswerCount, reading: Reading) -> tuple[float, float]:
    """How many answers to each question count: what a majority costs (TICK, Figure 2)."""
    return float(unit.answers), float(unit.questions)


@dataclass(frozen=True)
class PassRateOptions(SystemOptions, AgainstOptions):
    """Of measures of pass rates by two judges."""


@observer(options=PassRateOptions, describes="pass rate | that it is held against")
def two_pass_rates(case: Case, seen: Observation[PassRateOptions]) -> Scores | None:
    """The pass rates of one response by two judges, each with the checklist that it answered."""
    if not seen.options.against.judge:
        raise PlumblineError("a pass rate is held against no other judge's", do="name another judge in `against`")
    mine, other = (checked_whole(case, seen, judge) for judge in (seen.judge, seen.options.against.judge))
    return None if mine is None or other is None else scores(mine, pass_rates(mine), pass_rates(other))


def checked_whole(case: Case, seen: Observation[SystemOptions], judge: Judge) -> Checked | None:
    """The answers to all questions of a checklist."""
    return checked_by(case, judge, seen.sample, ChecklistOptions(systems=seen.options.systems))


@dataclass(frozen=True)
class LengthOptions(AnswerOptions):
    """Of the correlation of a checklist's length with a score."""

    checklist: str = ""
    """The checklist of the instance's context whose questions are counted, e.g. one that a model wrote (empty: the one
    that the judge answers)."""
    question: str = ""
    """The judge's answer that is the score, e.g. `rating` (empty: the pass rate of the checklist that it answers)."""


@observer(options=LengthOptions, describes="number of questions | score")
def length_and_score(case: Case, seen: Observation[LengthOptions]) -> Scores | None:
    """How many questions a checklist has, and how a response is scored."""
    if seen.options.question:
        said = answers_of(case, seen.judge, seen)
        if said is None:
            return None
        length = counted_length(case, seen.options.checklist)
        return Scores((length, length), means(said), said.missing, said.marks, said.close)
    answers = checked_whole(case, seen, seen.judge)
    if answers is None or not answers.sheets:
        return None
    name = seen.options.checklist
    length = counted_length(case, name) if name else float(len(answers.sheets[0].strict))
    return scores(answers, (length, length), pass_rates(answers))


def counted_length(case: Case, name: str) -> Score:
    """How many questions a checklist has; nothing where none was written."""
    if not name:
        raise PlumblineError("the length of no checklist is counted", do="name it in `checklist`")
    return float(len(own_questions(case.instance, name))) or None


def scores(answers: Checked, first: tuple[Score, Score], second: tuple[Score, Score]) -> Scores:
    return Scores(first, second, answers.missing, answers.marks, answers.close)


def pass_rates(answers: Checked) -> tuple[Score, Score]:
    """The mean pass rate in each reading; none where no question counts in it."""
    totals = [pass_rate(answers, reading) for reading in READINGS]
    published, strict = (None if total is None else total[0] / total[1] for total in totals)
    return published, strict


@measure(
    "pass_pearson",
    "Score correlation",
    two_pass_rates,
    correlation,
    digits=3,
    missing="wrong",
    undefined=LEFT_OUT,
    kind="correlation",
)
def pass_pearson(units: Sequence[Scores], reading: Reading) -> Floats:
    """Pearson's correlation over responses between pass rates by two checklists (TICK, Table 3a)."""
    return sums(units, reading)


@measure(
    "length_pearson",
    "Length correlation",
    length_and_score,
    correlation,
    better="neither",
    digits=3,
    missing="wrong",
    undefined=LEFT_OUT,
    kind="correlation",
)
def length_pearson(units: Sequence[Scores], reading: Reading) -> Floats:
    """Pearson's correlation over responses between the length of a checklist and a score: by default its pass rate
    (TICK, appendix B.2)."""
    return sums(units, reading)
