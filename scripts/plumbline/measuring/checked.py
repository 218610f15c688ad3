"""What a judge answered to a checklist: a word for each question about each output, in both readings.

A response without any answer has no pass rate. Else no answer is no, and every question of the checklist counts.
InfoBench's code ends its conversation at an answer without a verdict, which it counts as no, also where that is the
first one, and it leaves out the questions that it does not ask any more: so it is as published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from plumbline.config.typed import Count
from plumbline.data.instances import CATEGORIES, CHECKLIST, Instance, categories_of
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import MISSING, OWN, READINGS, Outcome, Reading, Verdict, shown
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.options import SystemOptions
from plumbline.measuring.units import Observation, observer
from plumbline.records.errors import PlumblineError, nearest

YES, NO, NOT_ASKED = "yes", "no", "not asked"
RESERVED = frozenset((BETTER, CHECKLIST, "pass_rate", "rating", "gain", "length"))
"""Questions of a judge that are none of a checklist; a verdict on `checklist` says why there is no question at all."""
NO_CHECKLIST = "no checklist"
UNASKED = "questions not asked"
UNANSWERED = "questions without an answer"


class AnswerSheet(NamedTuple):
    """The answers about one output: a word, why there is none, or `not asked`, for each question that counts."""

    published: tuple[str, ...]
    strict: tuple[str, ...]
    unanswered: tuple[Reading, ...] = ()
    """The readings in which no question of the whole checklist has an answer."""

    def outcome(self, reading: Reading) -> tuple[str, ...]:
        return self.published if reading == "as_published" else self.strict

    def passed(self, reading: Reading) -> tuple[int, int]:
        """How many questions are answered yes, of how many that count; none count without any answer."""
        if reading in self.unanswered:
            return 0, 0
        words = self.outcome(reading)
        if reading == "as_published":
            words = tuple(word for word in words if word != NOT_ASKED)
        return words.count(YES), len(words)

    def of(self, places: Sequence[int]) -> AnswerSheet:
        """The answers to some of the questions."""
        published, strict = (tuple(self.outcome(reading)[place] for place in places) for reading in READINGS)
        return self._replace(published=published, strict=strict)


class Checked(NamedTuple):
    """The answers about all outputs of one instance that were checked."""

    sheets: tuple[AnswerSheet, ...]
    none: tuple[str, ...] = ()
    """Why there is no checklist, where there is none."""
    close: int = 0

    @property
    def missing(self) -> tuple[str, ...]:
        return self.none + tuple(word for sheet in self.sheets for word in sheet.strict if word in MISSING)

    @property
    def marks(self) -> tuple[str, ...]:
        words = {word for sheet in self.sheets for word in sheet.strict}
        marks = {NO_CHECKLIST: self.none, UNASKED: NOT_ASKED in words, UNANSWERED: words & set(MISSING)}
        return tuple(mark for mark, holds in marks.items() if holds)

    def describe(self, reading: Reading) -> str:
        passed = (sheet.passed(reading) for sheet in self.sheets)
        return ", ".join(f"{yes} of {of}" if of else "no answer" for yes, of in passed) or NO_CHECKLIST


@dataclass(frozen=True)
class ChecklistOptions(SystemOptions):
    """Of measures of answers to checklists."""

    category: str = ""
    """Only questions of the checklist that carry this category."""
    votes: Count = 0
    """Of how many samples of an answer the majority counts (0: the first sample alone)."""


@observer(options=ChecklistOptions, describes="questions answered yes, of how many")
def checked(case: Case, seen: Observation[ChecklistOptions]) -> Checked | None:
    return checked_by(case, seen.judge, seen.sample, seen.options)


def checked_by(case: Case, judge: Judge, sample: int, options: ChecklistOptions) -> Checked | None:
    answered = ChecklistVerdicts.of(case, judge, sample, options)
    if not answered.outputs:
        return Checked((), answered.none) if answered.none else None
    if not answered.questions:
        return None
    counted = [verdict for verdicts in answered.outputs.values() for verdict in verdicts]
    close = sum(verdict.close for verdict in counted if verdict.question in answered.questions)
    return Checked(answered.sheets(options.votes), answered.none, close)


@dataclass(frozen=True)
class ChecklistVerdicts:
    """The verdicts of one judge on the questions of a checklist: the instance's, or one that it wrote itself."""

    checklist: tuple[str, ...]
    """All questions, each once."""
    questions: tuple[str, ...]
    """Those that count: all, or those of one category."""
    outputs: dict[int, list[Verdict]]
    none: tuple[str, ...]
    """Why there is no checklist, where there is none."""

    @classmethod
    def of(cls, case: Case, judge: Judge, sample: int, options: ChecklistOptions) -> ChecklistVerdicts:
        verdicts = [
            verdict
            for verdict in case.verdicts.get(judge, ())
            if (options.votes or verdict.sample == sample) and about_one(case.instance, verdict, options.systems)
        ]
        none = tuple(str(verdict.strict) for verdict in verdicts if verdict.question == CHECKLIST)
        answers = [verdict for verdict in verdicts if verdict.question not in RESERVED]
        outputs: dict[int, list[Verdict]] = {}
        for verdict in answers:
            outputs.setdefault(shown(verdict.showing)[0], []).append(verdict)
        checklist = questions_of(case.instance, answers)
        return cls(checklist, carrying(case.instance, checklist, options.category), outputs, none)

    def sheets(self, votes: int) -> tuple[AnswerSheet, ...]:
        """The answers about each output, to the questions that count."""
        places = [self.checklist.index(question) for question in self.questions]
        return tuple(sheet(self.checklist, verdicts, votes).of(places) for verdicts in self.outputs.values())


def about_one(instance: Instance, verdict: Verdict, systems: Sequence[str]) -> bool:
    outputs = shown(verdict.showing)
    return len(outputs) == 1 and (not systems or instance.outputs[outputs[0]].system in systems)


def questions_of(instance: Instance, answers: Sequence[Verdict]) -> tuple[str, ...]:
    """The checklist that is answered, each question once.

    A program states which it is. A record does not: it is the instance's own where all questions stand on that.
    """
    asked = tuple(dict.fromkeys(verdict.question for verdict in answers))
    stated = answers[0].checklist if answers else ""
    own = tuple(dict.fromkeys(instance.context.get(stated or CHECKLIST, ())))
    return own if stated != OWN and set(asked) <= set(own) else asked


def own_questions(instance: Instance, name: str) -> tuple[str, ...]:
    """The different questions of a checklist in an instance's context."""
    if name not in instance.context:
        raise PlumblineError(
            f"an instance has no checklist called {name!r}",
            where=f"instance {instance.id}, {instance.origin}",
            do=nearest(name, instance.context),
        )
    return tuple(dict.fromkeys(instance.context[name]))


def carrying(instance: Instance, questions: Sequence[str], category: str) -> tuple[str, ...]:
    """The questions that carry a category, or all; a question may carry several."""
    if not category:
        return tuple(questions)
    asked, categories = instance.context.get(CHECKLIST, ()), categories_of(instance)
    if len(asked) != len(categories):
        raise PlumblineError(
            f"of {len(asked)} questions of a checklist {len(categories)} have a category",
            where=f"instance {instance.id}, {instance.origin}",
            expected=f"a text in the context `{CATEGORIES}` for each question in `{CHECKLIST}`",
        )
    known = dict(zip(asked, categories, strict=True))
    return tuple(question for question in questions if category in known.get(question, ()))


def sheet(questions: Sequence[str], verdicts: Sequence[Verdict], votes: int) -> AnswerSheet:
    samples: dict[str, list[Verdict]] = {}
    for verdict in sorted(verdicts, key=attrgetter("sample")):
        samples.setdefault(verdict.question, []).append(verdict)
    published, strict = (
        tuple(answer(samples[question], reading, votes) if question in samples else NOT_ASKED for question in questions)
        for reading in READINGS
    )
    return AnswerSheet(published, strict, unanswered(published, strict))


def unanswered(published: Sequence[str], strict: Sequence[str]) -> tuple[Reading, ...]:
    """The readings without any answer; as published, an answer that ended InfoBench's conversation is a no."""
    none = {"as_published": not {YES, NO, NOT_ASKED} & set(published), "strict": not {YES, NO} & set(strict)}
    return tuple(reading for reading in READINGS if none[reading])


def answer(samples: Sequence[Verdict], reading: Reading, votes: int) -> str:
    """What the first sample says, or the majority of the first `votes` of them."""
    if len(samples) < votes:
        raise PlumblineError(
            f"a majority of {votes} is asked for, and a question has {len(samples)} answers",
            where=f"instance {samples[0].instance}, protocol {samples[0].protocol}",
            do="ask with a protocol of as many `samples`, or count fewer `votes`",
        )
    question = samples[0].question
    if votes <= 1:
        return word_of(question, samples[0].outcome(reading))
    return majority([word_of(question, verdict.outcome(reading)) for verdict in samples[:votes]])


def majority(words: Sequence[str]) -> str:
    """Of the answers given, the more frequent; a tie is no, as a doubt is by InFoBench's rules."""
    if not {YES, NO} & set(words):
        return words[0]
    return YES if words.count(YES) > words.count(NO) else NO


def word_of(question: str, outcome: Outcome) -> str:
    if outcome.missing is None and outcome.word not in (YES, NO):
        raise PlumblineError(f"an answer to {question!r} is {outcome} where yes or no is measured")
    return str(outcome)
