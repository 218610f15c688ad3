"""Asking for a score: a request like any other, whose messages are named texts in place of turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.models.asking import Message, Request
from plumbline.records.errors import PlumblineError

INSTRUCTION, OUTPUT, FIRST, SECOND, REFERENCE = "instruction", "output", "first", "second", "reference"
"""Names of texts: one output is `output`, two are `first` and `second`."""
TURNS = frozenset({"system", "user", "assistant"})


@dataclass(frozen=True)
class Scoring:
    """Texts by the names under which a model's format shows them."""

    texts: Mapping[str, str]

    @property
    def request(self) -> Request:
        return Request(tuple(Message(name, text) for name, text in self.texts.items()), max_tokens=0)

    @classmethod
    def of(cls, request: Request) -> Scoring:
        """What a request wants scored; one that asks for words is refused."""
        if not is_scoring(request):
            raise PlumblineError(
                "a network that gives scores answers no prompt",
                expected="a protocol whose program asks for scores: score, prefers, entails, bleurt",
            )
        return cls({message.role: message.content for message in request.messages})


def is_scoring(request: Request) -> bool:
    """Whether a request wants a score: it has named texts in place of turns, and no answer of any length."""
    named = [message.role for message in request.messages]
    return bool(named) and request.scored is None and not request.max_tokens and TURNS.isdisjoint(named)
