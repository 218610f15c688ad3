"""Texts from what a model answered: how each came about, and how many are of use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from plumbline.asking.refusal import refused
from plumbline.data.texts import State, Text
from plumbline.models.asking import AMBIGUOUS, UNANSWERED, Completion

TELLING: tuple[State, ...] = ("refused", "missing", "ambiguous", "truncated")
"""States of an answer that are also those of all that was made of it, the gravest first."""


def state_of(completion: Completion) -> State:
    """How an answer came about."""
    if refused(completion):
        return "refused"
    if completion.finish in ("context", UNANSWERED):
        return "missing"
    if completion.finish == AMBIGUOUS:
        return "ambiguous"
    return "truncated" if completion.finish == "length" else "written"


def state_with(text: str, state: State) -> State:
    """The state of what is found in an answer: nothing may be found in one that was written."""
    return "empty" if not text.strip() and state in ("written", "truncated") else state


def records(instance: str, step: str, sample: int, texts: Sequence[str], answers: Iterable[State]) -> list[Text]:
    """What a program gave, in the state of the answers that it was made of."""
    met = set(answers)
    gravest: State = next((state for state in TELLING if state in met), "written")
    rows = []
    for number, text in enumerate(texts or [""]):
        rows.append(Text(instance, step, sample, number, text, state_with(text, gravest)))
    return rows


def counted(states: Counter[State]) -> str:
    """How many texts are in which state, those that are as asked for first."""
    order = ("written", "kept", *TELLING[::-1], "empty")
    return ", ".join(f"{states[state]:,} {state}" for state in order if states[state]) or "no texts"
