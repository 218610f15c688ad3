"""Read what a model writes for itself: the items of a list, or the text after a marker."""

from __future__ import annotations

import re

from plumbline.config.parsers import ListParser, TextParser

MARKED = re.compile(r"(?P<indent>[ \t]*)(?:(?P<number>\(?[0-9]{1,3}[.):])|[-*+•–])[ \t]+(?P<text>\S.*)")
BLANKS = re.compile(r"\n{3,}")
"""Many empty lines say no more than one."""
MARKS = " \t*#_\"'`>"


def read_text(text: str, parser: TextParser) -> str:
    return _after(text, parser.after).strip()


def read_items(text: str, parser: ListParser) -> tuple[str, ...]:
    """The items of the numbered list, or else of the bulleted one; none where the answer has no list.

    A line below an item belongs to it, as in Markdown, until a blank line; below that, what is indented does.
    """
    lines = BLANKS.sub("\n\n", _after(text, parser.after)).splitlines()
    heads = [_head(line) for line in lines]
    numbered, level = _level(heads)
    found: list[list[str]] = []
    inside = blank = False
    for line, head in zip(lines, heads, strict=True):
        if head and head[0] == numbered and head[1] <= level:
            found.append([head[2].strip()])
            inside, blank = True, False
        elif not line.strip():
            blank = True
        elif inside and (not blank or line[0] in " \t"):
            found[-1].append(head[2].strip() if head else line.strip())
        else:
            inside = False
    return tuple(" ".join(parts) for parts in found)


Head = tuple[bool, int, str]
"""Of a marked line: whether it is numbered, how far it is indented, and its text."""


def _head(line: str) -> Head | None:
    found = MARKED.match(line)
    return (found["number"] is not None, len(found["indent"]), found["text"]) if found else None


def _level(heads: list[Head | None]) -> tuple[bool, int]:
    """Which marked lines begin items: the numbered ones, unless they stand below bullets; and how far indented."""
    levels = {kind: min((head[1] for head in heads if head and head[0] == kind), default=-1) for kind in (True, False)}
    numbered = levels[True] >= 0 and not 0 <= levels[False] < levels[True]
    return numbered, levels[numbered]


def _after(text: str, marker: str) -> str:
    """What follows the first line that begins with a marker; everything where none does."""
    if not marker:
        return text
    at, sought = 0, marker.lower()
    if sought not in text.lower():
        return text
    for line in text.splitlines(keepends=True):
        begun = line.lstrip(MARKS)
        if begun.lower().startswith(sought):
            start = at + len(line) - len(begun) + len(marker)
            return text[start:].lstrip("*_ \t")
        at += len(line)
    return text
