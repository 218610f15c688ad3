"""Read the text after a marker, in what a model writes for itself."""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.asking.answer_text.marker import after, has_marker
from plumbline.asking.parser import text_parser
from plumbline.config.parsers import Parser
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True)
class TextParser(Parser):
    """The text after a marker, for what a model writes for itself; all of it where the marker is missing."""

    after: str
    """How the first line begins after which the text stands, e.g. `Revised response:`."""
    required: bool = False
    """Nothing is found where the marker is missing (false: then it is all of the text)."""


def check(options: TextParser, where: str) -> None:
    if not options.after.strip():
        raise PlumblineError("a parser of the kind 'text' needs a marker", where=f"{where}.after")


@text_parser(options=TextParser, check=check)
def text(text: str, options: TextParser) -> tuple[str]:
    if options.required and not has_marker(text, options.after):
        return ("",)
    return (after(text, options.after).strip(),)
