"""Places: where a number of a table stands, and from which others it follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from plumbline.data.verdicts import Reading

Axis = Literal["row", "column"]
ROW: Axis = "row"
COLUMN: Axis = "column"


class CellPlace(NamedTuple):
    """Where a number stands."""

    row: str
    column: str
    metric: str
    reading: Reading

    def at(self, axis: Axis, name: str) -> CellPlace:
        """The same in another row or column."""
        return self._replace(row=name) if axis == ROW else self._replace(column=name)


class CellSources(NamedTuple):
    """How a number follows from others: those of other rows, or of other columns."""

    axis: Axis
    way: str
    sources: Sequence[str]
    pooled: bool

    def at(self, place: tuple[str, str, str], name: str) -> tuple[str, str, str]:
        """The cell of this source, for the one at a row, column and measure."""
        row, column, metric = place
        return (name, column, metric) if self.axis == ROW else (row, name, metric)
