"""Constraints of wildcards, so that of two rules for the same files exactly one fits."""

from __future__ import annotations

import re
from collections.abc import Iterable


def one_of(names: Iterable[str]) -> str:
    """One of these names."""
    return "|".join(map(re.escape, names)) or "(?!)"


def none_of(names: Iterable[str]) -> str:
    """Any name but these."""
    return f"(?!(?:{one_of(names)})(?:[/.]|$))[^/]+"
