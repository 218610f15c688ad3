"""What of a text stands after a marker, e.g. `Revised response:`."""

from __future__ import annotations

MARKS = " \t*#_\"'`>"


def after(text: str, marker: str) -> str:
    """What follows the first line that begins with a marker; everything where none does."""
    end = end_of(text, marker) if marker else None
    return text if end is None else text[end:].lstrip("*_ \t")


def has_marker(text: str, marker: str) -> bool:
    """Whether a line begins with a marker."""
    return end_of(text, marker) is not None


def end_of(text: str, marker: str) -> int | None:
    """Where the marker ends that the first such line begins with."""
    at, sought = 0, marker.lower()
    if sought not in text.lower():
        return None
    for line in text.splitlines(keepends=True):
        begun = line.lstrip(MARKS)
        if begun.lower().startswith(sought):
            return at + len(line) - len(begun) + len(marker)
        at += len(line)
    return None
