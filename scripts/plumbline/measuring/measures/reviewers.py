"""How far reviewers agree who chose the better output without seeing the label (LLMBar, section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from plumbline.data.labels import CHOICE
from plumbline.data.verdicts import Reading
from plumbline.measuring.cases import Case
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import ratio
from plumbline.measuring.options import MeasureOptions
from plumbline.measuring.raters import people_of, words_of
from plumbline.measuring.units import Observation, observer

SAME_CHOICE = "same_choice"


class Choices(NamedTuple):
    """What each reviewer chose."""

    words: tuple[str, ...]
    missing: tuple[str, ...] = ()
    close: int = 0
    marks: tuple[str, ...] = ()

    def describe(self, reading: Reading) -> str:
        return ", ".join(self.words)


@dataclass(frozen=True)
class ChoiceOptions(MeasureOptions):
    """Of measures of what reviewers chose."""

    question: str = CHOICE
    """Which question to the reviewers."""


@observer(options=ChoiceOptions, describes="what each reviewer chose")
def choices(case: Case, seen: Observation[ChoiceOptions]) -> Choices | None:
    words = people_of(words_of(case, seen.options.question))
    return Choices(tuple(sorted(words.values()))) if words else None


@ratio(SAME_CHOICE, "Agreement", choices, unit=PERCENT, judged=False, undefined="seen by one reviewer alone")
def same_choice(unit: Choices, reading: Reading) -> Sequence[float] | None:
    """How often two reviewers choose the same output; of more than two, the mean over every two of them."""
    twos = list(combinations(unit.words, 2))
    return (sum(one == other for one, other in twos) / len(twos), 1.0) if twos else None
