"""What raters prefer of two outputs: one of them, most of them, or each of them measured as a judge would be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from plumbline.data.labels import GOLD
from plumbline.measuring.cases import Case, once
from plumbline.records.errors import PlumblineError

T = TypeVar("T")
FIRST, SECOND, TIE = "first", "second", "tie"
PREFERENCES = (FIRST, SECOND, TIE)
MAJORITY = "majority"
"""In place of a rater: what more raters prefer than anything else; where there is no such preference, no label."""
PEOPLE = "people"
"""In place of a person who is measured: every rater in turn."""


class Votes(NamedTuple):
    """How many raters prefer which output."""

    first: int = 0
    second: int = 0
    tie: int = 0

    def without(self, word: str) -> Votes:
        return self._replace(**{word: getattr(self, word) - 1})

    @property
    def modes(self) -> tuple[str, ...]:
        """What most raters say; none where nobody says anything, several where as many say one thing as another."""
        most = max(self)
        return tuple(word for word, count in zip(self._fields, self, strict=True) if count == most) if most else ()


@once
def words_of(case: Case, question: str) -> Mapping[str, str]:
    """What each rater prefers of the two outputs of an instance."""
    words: dict[str, list[str]] = {}
    for label in case.labels:
        if label.question == question and label.about is None:
            words.setdefault(label.rater, []).append(label.word)
    for rater, answers in words.items():
        if len(answers) > 1 or not set(answers) <= set(PREFERENCES):
            raise PlumblineError(
                f"the rater {rater!r} says {', '.join(answers)} of the instance {case.instance.id}",
                where=case.instance.origin,
                expected=f"one word: {', '.join(PREFERENCES)}",
            )
        if rater in (MAJORITY, PEOPLE):
            raise PlumblineError(
                f"a rater is called {rater!r}, which tables use for several raters together",
                where=case.instance.origin,
                do="give the rater another name",
            )
    return {rater: word for rater, [word] in words.items()}


def people_of(answers: Mapping[str, T]) -> dict[str, T]:
    """What people say, each of whom is somebody: the agreed label is one more only where there is nothing else."""
    people = {rater: answer for rater, answer in answers.items() if rater != GOLD}
    return people or dict(answers)


def votes_of(words: Mapping[str, str]) -> Votes:
    counts = Counter(people_of(words).values())
    return Votes(*(counts[word] for word in PREFERENCES))


@once
def votes_on(case: Case, question: str) -> Votes:
    return votes_of(words_of(case, question))


def preferred_by(words: Mapping[str, str], rater: str) -> str:
    """What a rater prefers, or the majority; empty where there is no label, or no single majority."""
    if rater != MAJORITY:
        return words.get(rater, "")
    modes = votes_of(words).modes
    return modes[0] if len(modes) == 1 else ""


def measured_people(words: Mapping[str, str], person: str) -> dict[str, str]:
    """What those say who are measured: one person, or all."""
    return people_of(words) if person == PEOPLE else {rater: word for rater, word in words.items() if rater == person}
