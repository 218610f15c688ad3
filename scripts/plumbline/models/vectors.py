"""Asking where an encoder places a text: a request like any other, whose messages are the text and its prefix."""

from __future__ import annotations

import base64
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.models.asking import Completion, Message, Request

EMBED, PREFIX = "embed", "prefix"
"""Roles of the messages."""
WRITTEN = np.dtype("<f4")
"""How numbers are written down, on every machine."""


@dataclass(frozen=True)
class Embedding:
    """A text, and what an encoder like INSTRUCTOR reads before it and leaves out of the mean."""

    text: str
    prefix: str = ""

    @property
    def request(self) -> Request:
        before = (Message(PREFIX, self.prefix),) if self.prefix else ()
        return Request((*before, Message(EMBED, self.text)), max_tokens=0)

    @classmethod
    def of(cls, request: Request) -> Embedding | None:
        """What a request asks to place; nothing where it asks for something else."""
        match request.messages:
            case (Message(role="embed", content=text),):
                return cls(text)
            case (Message(role="prefix", content=prefix), Message(role="embed", content=text)):
                return cls(text, prefix)
        return None


def embedded(row: NDArray[np.float32], tokens: int, cut: bool) -> Completion:
    """An encoder's answer: the bytes of the row as text, so that transcripts and the store keep it exactly."""
    text = base64.b64encode(np.asarray(row, WRITTEN).tobytes()).decode("ascii")
    return Completion(text, "cut" if cut else "stop", prompt_tokens=tokens, completion_tokens=0)


def vector_in(completion: Completion) -> NDArray[np.float32]:
    """The row in an encoder's answer."""
    return np.frombuffer(base64.b64decode(completion.text, validate=True), WRITTEN).astype(np.float32)
