"""Calling a function that judges: a request like any other, whose messages are the function's arguments."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from plumbline.data.verdicts import Outcome
from plumbline.models.asking import FAILED, Completion, Message, Request
from plumbline.records.errors import PlumblineError

INSTRUCTION, FIRST, SECOND = ROLES = ("instruction", "output_1", "output_2")
"""Roles of the messages, as the function's parameters are called."""
WORDS = ("first", "second", "tie")
EXCHANGED = {"first": "second", "second": "first"}


@dataclass(frozen=True)
class FunctionCall:
    """What a function is called with: the outputs as they are shown."""

    instruction: str
    output_1: str
    output_2: str
    sample: int = 0

    @property
    def request(self) -> Request:
        messages = (Message(role, text) for role, text in zip(ROLES, self.texts, strict=True))
        return Request(tuple(messages), max_tokens=0, sample=self.sample)

    @property
    def texts(self) -> tuple[str, str, str]:
        return self.instruction, self.output_1, self.output_2

    @classmethod
    def of(cls, request: Request) -> FunctionCall:
        """What a request calls a function with; one that asks for words is refused."""
        if tuple(message.role for message in request.messages) != ROLES:
            raise PlumblineError(
                "a function is called with an instruction and two outputs, and answers no prompt",
                expected="the protocol `function`, or one of your own whose program asks for calls",
            )
        instruction, first, second = (message.content for message in request.messages)
        return cls(instruction, first, second, request.sample)


@dataclass(frozen=True)
class Returned:
    """What a function said of the outputs as it was shown them."""

    outcome: Outcome
    margin: float | None = None
    """By how much it prefers the first, where it returned a number."""

    def swapped(self) -> Returned:
        """The same of the outputs in the other order."""
        word = EXCHANGED.get(self.outcome.word or "")
        return Returned(Outcome(word) if word else self.outcome, None if self.margin is None else 0.0 - self.margin)


def returned_in(completion: Completion) -> Returned:
    """A word as it is; a number above 0 prefers the first output, one below 0 the second. Anything else is unparsed."""
    if completion.finish == FAILED:
        return Returned(Outcome(missing="failed"))
    try:
        value = json.loads(completion.text)
    except ValueError:
        value = None
    if value in WORDS:
        return Returned(Outcome(value))
    if isinstance(value, float) and math.isfinite(value):
        return Returned(Outcome("first" if value > 0 else "second" if value < 0 else "tie"), value)
    return Returned(Outcome(missing="unparsed"))
