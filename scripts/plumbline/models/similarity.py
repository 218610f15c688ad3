"""Asking how similar two texts are: a request like any other, whose two messages are the texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from plumbline.models.asking import Message, Request
from plumbline.records.errors import PlumblineError

By = Literal["bertscore", "cosine"]
"""How similarity is computed: BERTScore's F1 of token states, or the cosine of two embeddings."""
REFERENCE = "reference"
"""Role of the message that holds the text compared with; the role of the other says how they are compared."""


@dataclass(frozen=True)
class Comparison:
    """Two texts and how they are compared."""

    by: By
    text: str
    reference: str

    @property
    def request(self) -> Request:
        return Request((Message(self.by, self.text), Message(REFERENCE, self.reference)), max_tokens=0)

    @classmethod
    def of(cls, request: Request) -> Comparison:
        """What a request compares; one that asks for words is refused."""
        match request.messages:
            case (Message(role="bertscore" | "cosine" as by, content=text), Message(role="reference", content=other)):
                return cls(by, text, other)
        raise PlumblineError(
            "an encoder compares and places texts, and answers no prompt",
            expected=f"a protocol whose program places texts or compares them by {' or '.join(get_args(By))}",
        )
