"""Errors in a measure: its own cells name them, and all other cells stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from plumbline.measuring.bootstrap import Floats
from plumbline.records.errors import PlumblineError
from plumbline.records.places import place_reached

NUMBERS = "fiub"
"""Kinds of arrays that hold numbers."""


class MeasureFailed(PlumblineError):
    """A measure, or what looks at cases for it, raises or gives something that is no measurement."""


class Nonsense(Exception):
    """What a measure gives is none of what it may give."""


def guarded(
    what: str, written: Callable[..., Any], function: Callable[..., Any], check: Callable[..., Any]
) -> Callable[..., Any]:
    """A function of a measure, whose mistakes name the measure and where it is written.

    `check` is given what it gives and was given, and gives what goes on. An error that a measure words itself, about
    what a table picks for it, remains one of the table.
    """

    def call(*arguments: Any) -> Any:
        try:
            return check(function(*arguments), *arguments)
        except PlumblineError:
            raise
        except Exception as error:
            raise failure(what, written, error) from error

    return call


def failure(what: str, written: Callable[..., Any], error: Exception) -> MeasureFailed:
    """In one line, a reason of cells: with the last line of the file that was reached."""
    message = str(error) if isinstance(error, Nonsense) else f"{type(error).__name__}: {error}"
    return MeasureFailed(f"{what} fails ({place_reached(written, error)}): {' '.join(message.split())}")


def features_checked(output: Any, units: Any, *_: Any) -> Floats:
    array = numbers(output)
    if array.ndim != 2 or len(array) != len(units):
        raise Nonsense(f"it gives features of the shape {array.shape} for {len(units)} units: one row each is wanted")
    return array


def value_checked(output: Any, totals: Any, *_: Any) -> Floats:
    """A value for each row of totals, or of how often each unit was drawn."""
    array = numbers(output)
    if array.shape != np.shape(totals)[:-1]:
        raise Nonsense(f"it gives values of the shape {array.shape} for totals of the shape {np.shape(totals)}")
    if np.ndim(totals) == 1 and np.isinf(array):
        raise Nonsense("its value is infinite")
    return array


def rows_checked(rows: Sequence[Any], none: tuple[float, ...]) -> Floats:
    """What a score gives of each unit: a row of numbers, or `none` where it is not defined, which no number says."""
    if not rows:
        return np.empty((0, len(none)))
    array = numbers(rows)
    if array.shape != (len(rows), len(none)):
        raise Nonsense(f"it gives {rows[0]!r} where {len(none)} numbers are wanted")
    if np.isnan(array[[row is not none for row in rows]]).any():
        raise Nonsense("it gives nan: where it is not defined it should give None")
    return array


def numbers(output: Any) -> Floats:
    array = np.asarray(output)
    if array.size and array.dtype.kind not in NUMBERS:
        raise Nonsense(f"it gives {output!r:.80} where numbers are wanted")
    return array.astype(np.float64, copy=False)
