"""A Label Studio project: one arm of a benchmark's labelling, and the fields that its form has.

Label Studio's form is the same for all tasks of a project, and instances differ in how many outputs and how long a
checklist they have. So the form has fields for the longest, and a task leaves those empty that it lacks. (`Repeater`
would repeat a field by task, but neither Label Studio's own validation of annotations nor that of imported
suggestions knows the names that it makes.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from string import ascii_uppercase

from plumbline.config.benchmark import SIDES, About, Question
from plumbline.data.instances import Instance
from plumbline.people.lines import Answer
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_value

BUTTONS = 11
"""The longest scale of whole numbers that is shown as buttons; on a longer one people write the number."""
SKIPPED, REMARK = "skipped", "remark"
"""The fields for why there is no answer, and for what else people want to say."""


@dataclass(frozen=True)
class Control:
    """A field of the form: one answer to one question."""

    name: str
    question: str
    kind: About
    place: int | None = None
    """Which output, counted from 0 in the order shown; None where it is about all."""
    line: int | None = None
    """Which question of a checklist, counted from 0."""


@dataclass(frozen=True)
class Project:
    """What people are asked in one arm, and about what."""

    benchmark: str
    arm: str
    questions: Mapping[str, Question]
    """Those of this arm, in order."""
    instances: Sequence[Instance]
    shows: Sequence[str]
    """The parts of the context that people see."""
    seed: int
    """What decides, with an instance's id, in which order its outputs are shown."""

    def __post_init__(self) -> None:
        for name, question in self.questions.items():
            if question.is_about(name) == "pair":
                self._check_pair(name, question)

    @cached_property
    def by_id(self) -> dict[str, Instance]:
        return {instance.id: instance for instance in self.instances}

    @cached_property
    def outputs(self) -> int:
        """The most that an instance has."""
        return max((len(instance.outputs) for instance in self.instances), default=0)

    @cached_property
    def parts(self) -> list[str]:
        """The parts of the context that people see and that an instance has."""
        return [part for part in self.shows if any(instance.context.get(part) for instance in self.instances)]

    @cached_property
    def lines(self) -> dict[str, int]:
        """By checklist that is asked, the most questions that an instance has there."""
        return {
            name: max((len(instance.context.get(name, ())) for instance in self.instances), default=0)
            for name, question in self.questions.items()
            if question.is_about(name) == "checklist"
        }

    @cached_property
    def controls(self) -> dict[str, Control]:
        """All fields, by their names."""
        made: dict[str, Control] = {}
        for control in [one for name, question in self.questions.items() for one in self._fields(name, question)]:
            if control.name in made or control.name in (SKIPPED, REMARK):
                raise PlumblineError(
                    f"two fields of the form would be called {control.name!r}",
                    where=f"benchmark.{self.benchmark}.questions",
                    do="rename one of the questions",
                )
            made[control.name] = control
        return made

    def _fields(self, name: str, question: Question) -> list[Control]:
        kind, slug = question.is_about(name), re.sub(r"\W", "_", name, flags=re.ASCII)
        places = [*range(self.outputs)] or [None]
        if kind == "output":
            return [Control(f"{slug}__{letter(place)}", name, kind, place) for place in range(self.outputs)]
        if kind == "checklist":
            return [
                Control(f"{slug}__{'' if place is None else letter(place)}{line + 1}", name, kind, place, line)
                for place in places
                for line in range(self.lines[name])
            ]
        return [Control(slug, name, kind)]

    @property
    def fields(self) -> list[str]:
        """All that can be entered."""
        return [*self.controls, SKIPPED, REMARK]

    def order(self, instance: Instance) -> list[int]:
        """At each place the output that is shown there, by its place in stored order."""
        return sorted(range(len(instance.outputs)), key=lambda stored: digest_value([self.seed, instance.id, stored]))

    def _check_pair(self, name: str, question: Question) -> None:
        where = f"benchmark.{self.benchmark}.questions.{name}"
        if question.words and not set(question.words) <= set(SIDES):
            raise PlumblineError(
                "the outputs are shown in an order of their own, and these words cannot be turned back",
                where=where,
                expected=", ".join(SIDES),
                found=", ".join(question.words),
            )
        for instance in self.instances:
            if len(instance.outputs) != 2:
                raise PlumblineError(
                    f"{name!r} is about a pair, and an instance has {len(instance.outputs)} outputs",
                    where=f"{where}, instance {instance.id}",
                )


def turned(answer: Answer, question: Question, order: Sequence[int]) -> Answer:
    """An answer about a pair, from the order shown into stored order or back: the way is the same."""
    if list(order) == sorted(order):
        return answer
    if answer.value is None:
        first, second, tie = SIDES
        return replace(answer, word={first: second, second: first, tie: tie}[answer.word])
    return replace(answer, value=question.low + question.high - answer.value)


def letter(place: int) -> str:
    """What an output is called on the page, so that nothing tells its system."""
    return ascii_uppercase[place] if place < len(ascii_uppercase) else f"N{place + 1}"


def numbers(question: Question) -> list[float]:
    """The answers of a scale that is short enough for buttons; none of any other."""
    whole = question.low % 1 == question.high % 1 == 0
    count = int(question.high - question.low) + 1 if whole and not question.words else 0
    return [question.low + step for step in range(count)] if count <= BUTTONS else []


def choices(kind: About, question: Question) -> dict[str, str]:
    """The buttons of a field: by the answer what is written on it. None where people write a number."""
    answers = question.words or [f"{number:g}" for number in numbers(question)]
    called = dict(zip(SIDES, ("A", "B", SIDES[2]), strict=True)) if kind == "pair" else {}
    shown = {answer: called.get(answer, answer) for answer in answers}
    return {
        answer: f"{shown[answer]}: {meaning}" if (meaning := question.meanings.get(answer)) else shown[answer]
        for answer in answers
    }
