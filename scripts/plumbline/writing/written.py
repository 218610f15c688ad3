"""Written texts: what a model wrote about an instance in one step, or why there is nothing to use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from plumbline.asking.refusal import refused
from plumbline.models.asking import Completion

State = Literal["written", "truncated", "refused", "empty", "missing"]
TELLING: tuple[State, ...] = ("refused", "missing", "truncated")
"""States of an answer that are also those of all that was made of it, the gravest first."""


@dataclass(frozen=True, slots=True)
class Written:
    """One text. A step that gives several has a record for each, one that gives none has a record that says so."""

    instance: str
    step: str
    """As it was asked for: STEP@WORDING."""
    sample: int
    number: int
    """Which of several texts, from 0 on."""
    text: str
    state: State
    """written; truncated: the longest answer was reached, the text may be of use; refused; empty; missing: the prompt
    did not fit into the model's context, so nothing was written."""

    @property
    def usable(self) -> bool:
        return self.state in ("written", "truncated")


def state_of(completion: Completion) -> State:
    """How an answer came about."""
    if refused(completion):
        return "refused"
    if completion.finish == "context":
        return "missing"
    return "truncated" if completion.finish == "length" else "written"


def records(instance: str, step: str, sample: int, texts: Sequence[str], answers: Iterable[State]) -> list[Written]:
    """What a step gave, in the state of the answers that it was made of."""
    met = set(answers)
    gravest: State = next((state for state in TELLING if state in met), "written")
    found = []
    for number, text in enumerate(texts or [""]):
        blank = not text.strip() and gravest in ("written", "truncated")
        found.append(Written(instance, step, sample, number, text, "empty" if blank else gravest))
    return found


def counted(states: Counter[State]) -> str:
    """How many texts are in which state, those that are as asked for first."""
    order = ("written", *TELLING[::-1], "empty")
    return ", ".join(f"{states[state]:,} {state}" for state in order if states[state]) or "no texts"
