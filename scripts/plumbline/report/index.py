"""The page that leads to every table: how all of them stand, and where to look first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plumbline.config.tables import Table
from plumbline.data.ledger import KEPT
from plumbline.measuring.cells import STATUSES, Cell
from plumbline.measuring.identity import Check
from plumbline.measuring.identity_tables import tally
from plumbline.report.funnel import Count, emptied
from plumbline.report.funnels import STAGES
from plumbline.report.rendering import render
from plumbline.report.table_page import SIGNS, key_of, status_counts

Place = tuple[str, str]


@dataclass(frozen=True)
class Line:
    """One table of the index."""

    place: str
    table: Table
    counts: dict[str, int]


@dataclass(frozen=True)
class Example:
    """A number worth looking at first."""

    place: str
    cell: Cell
    key: str


@dataclass(frozen=True)
class SetLine:
    """One set that was built here."""

    place: str
    title: str
    kept: dict[str, int]
    """By stage, how many rows went on."""
    emptied: str

    @property
    def left(self) -> int:
        return list(self.kept.values())[-1] if self.kept else 0


def set_line(place: str, title: str, counts: Sequence[Count]) -> SetLine:
    kept = {count.stage: count.count for count in counts if count.outcome == KEPT}
    return SetLine(place, title, kept, emptied(counts))


def index_page(
    scope: str,
    title: str,
    tables: Mapping[Place, Table],
    cells: Mapping[Place, Sequence[Cell]],
    checks: Mapping[str, Sequence[Check]],
    sets: Sequence[SetLine],
    left_out: Mapping[str, str],
) -> str:
    """`left_out` are sets that could not be built yet, and what each waits for."""
    papers: dict[str, list[Line]] = {}
    for (paper, name), table in sorted(tables.items(), key=lambda item: (item[0][0], by_number(item[0][1]))):
        papers.setdefault(paper, []).append(Line(f"{paper}/{name}", table, status_counts(cells[paper, name])))
    total: Counter[str] = Counter()
    for lines in papers.values():
        for line in lines:
            total.update(line.counts)
    return render(
        "index.html",
        0,
        scope=scope,
        title=title,
        papers=papers,
        total={status: total[status] for status in STATUSES},
        signs=SIGNS,
        benchmarks=benchmarks(cells),
        example=example(cells),
        sets=sets,
        left_out=left_out,
        stages={stage: said for stage, said in STAGES.items() if any(stage in line.kept for line in sets)},
        identities={paper: tally(found) for paper, found in checks.items()},
    )


def by_number(name: str) -> list[tuple[bool, int, str]]:
    """Orders names as a reader would: table2 before table10."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", name) if part]


def benchmarks(cells: Mapping[Place, Sequence[Cell]]) -> list[str]:
    """The benchmarks on which judges are measured."""
    found = (cell.benchmark for there in cells.values() for cell in there if cell.model and cell.value is not None)
    return list(dict.fromkeys(found))


def example(cells: Mapping[Place, Sequence[Cell]]) -> Example | None:
    """The first number of a judge that gave words, and so has something to read behind it: best where readings part."""
    found = [
        Example("/".join(place), cell, key_of(cell))
        for place, there in cells.items()
        for cell in there
        if cell.model and cell.value is not None and cell.reading == "strict" and len(cell.subsets) == 1
    ]
    apart = [one for one in found if one.cell.reason.startswith("strictly")]
    return next(iter(apart or found), None)
