"""The one error a user sees: what was wrong, where, what was expected, what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

SHOWN = 20
"""So many known words are listed in a message."""


class PlumblineError(Exception):
    """A mistake in data, configuration or surroundings, told in one message and never as a traceback."""

    def __init__(self, what: str, *, where: str = "", expected: str = "", found: str = "", do: str = "") -> None:
        parts = [what]
        if where:
            parts.append(f"  where:    {where}")
        if expected:
            parts.append(f"  expected: {expected}")
        if found:
            parts.append(f"  found:    {found}")
        if do:
            parts.append(f"  do:       {do}")
        super().__init__("\n".join(parts))


def nearest(wrong: str, right: Iterable[str]) -> str:
    """A hint naming the closest allowed word, or what words there are when none is close."""
    known = sorted(str(word) for word in right)
    close = difflib.get_close_matches(wrong, known, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(known[:SHOWN]) + (f" and {len(known) - SHOWN:,} more" if len(known) > SHOWN else "")
    return f"known: {shown}" if known else "nothing is known here"
