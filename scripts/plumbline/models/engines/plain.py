"""Prompts for base models, which have no chat template and go on with a text: their turns are joined plainly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plumbline.models.asking import Message

BETWEEN = "\n\n"
"""Between two turns stands an empty line."""
PLAIN = "none: turns are joined plainly"
"""In place of a chat template's digest in a model's identity."""


class PlainPrompt(NamedTuple):
    """A text up to where the answer begins, and what the answer begins with."""

    text: str
    before: str
    """A space where the text ends with a colon, as in `Rating:`, so that the answer goes on with its line and is cut
    into tokens as it would be there. Else nothing, and the text ends with its line."""


def joined(messages: Sequence[Message]) -> PlainPrompt:
    """All turns as one text; what follows a turn that ends with a colon goes on with its line."""
    text = ""
    for message in messages:
        content = message.content.strip("\n").rstrip()
        text += (" " if text.endswith(":") else BETWEEN) + content if text else content
    if text.endswith(":"):
        return PlainPrompt(text, " ")
    return PlainPrompt(f"{text}\n" if text else "", "")
