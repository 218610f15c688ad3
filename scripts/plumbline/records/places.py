"""Where in a user's own code something went wrong."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plumbline.records.plugins import place_of, shown


def place_reached(function: Callable[..., Any], error: BaseException) -> str:
    """The last line of a function's file that was reached before an error, or else where the function begins."""
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{shown(Path(file))}, line {lines[-1]}" if lines else place_of(function)
