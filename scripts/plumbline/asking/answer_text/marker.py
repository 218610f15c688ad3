"""What of a text stands after a marker, e.g. `Revised response:`."""

from __future__ import annotations

MARKS = " \t*#_\"'`>"


def after(text: str, marker: str) -> str:
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
