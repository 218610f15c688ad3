"""The numbers that a paper prints, as its tables' declarations transcribe them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from plumbline.config.typed import build, known
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True)
class PrintedCell:
    """A printed number and where it stands."""

    row: str
    column: str
    metric: str
    value: float
    digits: int
    """Printed precision."""


@dataclass(frozen=True)
class PrintedTable:
    """The printed numbers of one table; what is not printed is not there."""

    name: str
    cells: Mapping[tuple[str, str], Mapping[str, PrintedCell]]
    """By row and column, then by measure."""
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, cells: Iterable[PrintedCell]) -> PrintedTable:
        by_place: dict[tuple[str, str], dict[str, PrintedCell]] = {}
        for cell in cells:
            by_place.setdefault((cell.row, cell.column), {})[cell.metric] = cell
        rows, columns = (tuple(dict.fromkeys(place[axis] for place in by_place)) for axis in (0, 1))
        return cls(name, by_place, rows, columns)

    def at(self, row: str, column: str, metric: str = "") -> PrintedCell:
        """The number in a row and a column; its measure need be named only where there are several."""
        where = f"{self.name}, row {row!r}, column {column!r}"
        known(row, dict.fromkeys(self.rows), f"{self.name}, row")
        known(column, dict.fromkeys(self.columns), f"{self.name}, column")
        there = self.cells.get((row, column), {})
        if metric:
            known(metric, there, where)
            return there[metric]
        if len(there) != 1:
            raise PlumblineError(
                f"{len(there)} numbers are printed here", where=where, expected="one, or the name of its measure"
            )
        return next(iter(there.values()))

    def value(self, row: str, column: str, metric: str = "") -> float:
        return self.at(row, column, metric).value

    def row(self, row: str, columns: Iterable[str]) -> list[float]:
        return [self.value(row, column) for column in columns]


@dataclass(frozen=True)
class Printed:
    """The printed numbers of one paper."""

    paper: str
    tables: Mapping[str, PrintedTable] = field(default_factory=dict)

    @classmethod
    def of(cls, paper: str, setting: Mapping[str, Any]) -> Printed:
        """From a job's setting: the printed cells of each table."""
        cells = {
            name: [build(PrintedCell, cell, f"printed.{paper}.{name}") for cell in rows]
            for name, rows in setting.items()
        }
        return cls(paper, {name: PrintedTable.of(name, rows) for name, rows in cells.items()})

    def __getitem__(self, name: str) -> PrintedTable:
        known(name, self.tables, f"the printed tables of {self.paper}")
        return self.tables[name]
