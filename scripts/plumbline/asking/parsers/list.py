"""Read the items of a list that a model writes for itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from plumbline.asking.answer_text.marker import after
from plumbline.asking.parser import text_parser
from plumbline.config.parsers import Parser

MARKED = re.compile(r"(?P<indent>[ \t]*)(?:(?P<number>\(?[0-9]{1,3}[.):])|[-*+•–])[ \t]+(?P<text>\S.*)")
BLANKS = re.compile(r"\n{3,}")
"""Many empty lines say no more than one."""


@dataclass(frozen=True)
class ListParser(Parser):
    """The items of a numbered or bulleted list, for what a model writes for itself; they are given on as lines."""

    after: str = ""
    """The list follows the first line that begins with this, or stands anywhere where none does."""
    lines: bool = False
    """Whether each line is an item where nothing is numbered or bulleted."""


@text_parser(options=ListParser, items=True, name="list")
def items_of(text: str, options: ListParser) -> tuple[str, ...]:
    """The items of the numbered list, or else of the bulleted one; without a list none, or `lines`.

    A line below an item belongs to it, as in Markdown, until a blank line; below that, what is indented does.
    """
    lines = BLANKS.sub("\n\n", after(text, options.after)).splitlines()
    heads = [_head(line) for line in lines]
    numbered, level = _level(heads)
    items: list[list[str]] = []
    inside = blank = False
    for line, head in zip(lines, heads, strict=True):
        if head and head[0] == numbered and head[1] <= level:
            items.append([head[2].strip()])
            inside, blank = True, False
        elif not line.strip():
            blank = True
        elif inside and (not blank or line[0] in " \t"):
            items[-1].append(head[2].strip() if head else line.strip())
        else:
            inside = False
    if options.lines and not items:
        items = [[line.strip()] for line in lines if line.strip()]
    return tuple(" ".join(parts) for parts in items)


Head = tuple[bool, int, str]
"""Of a marked line: whether it is numbered, how far it is indented, and its text."""


def _head(line: str) -> Head | None:
    match = MARKED.match(line)
    return (match["number"] is not None, len(match["indent"]), match["text"]) if match else None


def _level(heads: list[Head | None]) -> tuple[bool, int]:
    """Which marked lines begin items: the numbered ones, unless they stand below bullets; and how far indented."""
    levels = {kind: min((head[1] for head in heads if head and head[0] == kind), default=-1) for kind in (True, False)}
    numbered = levels[True] >= 0 and not 0 <= levels[False] < levels[True]
    return numbered, levels[numbered]
