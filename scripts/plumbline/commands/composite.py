"""`plumbline composite`: a judge composed of the best method of each category, as a table of agreement says."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from plumbline.commands.preview import add_config, flow_of
from plumbline.config.plain import as_plain
from plumbline.config.tables import Table
from plumbline.config.typed import known
from plumbline.data.instances import CATEGORY
from plumbline.measuring.cells import Cell, read_cells
from plumbline.measuring.measure import named
from plumbline.measuring.plans import is_built, plans
from plumbline.models.engines.by_category import Method
from plumbline.records.errors import PlumblineError
from plumbline.records.files import write_text
from plumbline.records.manifest import RESULTS

WRITTEN = "# Written by `plumbline composite {place}`: the method with the highest {title} in each category.\n"


@dataclass(frozen=True)
class Choice:
    """The best method of one column, and the next best."""

    column: str
    categories: list[str]
    ranked: list[Cell]

    @property
    def best(self) -> Cell:
        return self.ranked[0]

    @property
    def is_told_apart(self) -> bool:
        """Whether the next best lies outside the interval of the best."""
        if len(self.ranked) < 2 or self.best.low is None or self.best.high is None:
            return False
        other = self.ranked[1].value
        return other is not None and not self.best.low <= other <= self.best.high

    @property
    def line(self) -> str:
        best, more = self.best, self.ranked[1:2]
        shown = f"{best.value:.1f} [{best.low:.1f}, {best.high:.1f}]" if best.low is not None else f"{best.value:.1f}"
        lead = f"; next {more[0].row}, {more[0].value:.1f}" if more else ""
        doubt = "" if self.is_told_apart or not more else " (not told apart)"
        return f"  {self.column:<22} {best.row:<28} {shown} of {best.n}{lead}{doubt}"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("composite", help="write a judge composed of the best method of each category")
    parser.add_argument("table", metavar="PAPER/NAME", help="a built table with a column for each category")
    parser.add_argument("--name", required=True, help="what the judge is called: config/model/NAME.yaml")
    parser.add_argument("--among", metavar="ROW", nargs="+", default=[], help="rows to choose among (all judges)")
    parser.add_argument("--force", action="store_true", help="write over files of that name")
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    flow = flow_of(arguments)
    tables = {f"{paper}/{name}": (paper, name) for paper, named in flow.config.table.items() for name in named}
    known(arguments.table, tables, "PAPER/NAME")
    table = flow.resolved.table(*tables[arguments.table])
    choices = choices_of(table, built_cells(arguments.table), rows_among(table, arguments.among))
    engine = Path("config", "engine", f"{arguments.name}.yaml")
    model = Path("config", "model", f"{arguments.name}.yaml")
    refuse_overwriting([engine, model], arguments.force)
    comment = WRITTEN.format(place=arguments.table, title=choices[0].best.title)
    write_text(engine, comment + dumped(engine_of(choices)))
    write_text(model, dumped({"label": f"Composite chosen by {arguments.table}", "engine": arguments.name}))
    print("\n".join([f"The best of each category by {choices[0].best.title}, as published:", *lines(choices)]))
    print(f"\nWritten: {engine} and {model}. A row asks it as {{model: {arguments.name}, protocol: composite}}.")
    return 0


def lines(choices: Sequence[Choice]) -> list[str]:
    apart = sum(choice.is_told_apart for choice in choices)
    chosen = "What is chosen by the data that it is measured on looks better than it is: measure it on others."
    return [*(choice.line for choice in choices), f"{apart} of {len(choices)} are told apart from the next. {chosen}"]


def rows_among(table: Table, among: Sequence[str]) -> list[str]:
    """The rows to choose among: judges, each of them measured itself."""
    judges = list(dict.fromkeys(plan.row for plan in plans(table) if is_built(table, plan) and all(plan.judge)))
    for row in among:
        known(row, dict.fromkeys(judges), "--among")
    if not judges:
        raise PlumblineError("no row of the table is a judge that is measured", where=f"{table.paper}/{table.name}")
    return list(among) or [row for row in judges if not table.rows[row].by_column]


def built_cells(place: str) -> Mapping[tuple[str, str], Cell]:
    """The table's numbers as published, by row and column; of several measures the first."""
    path = RESULTS / "cells" / f"{place}.parquet"
    if not path.exists():
        raise PlumblineError("the table is not built", where=str(path), do=f"snakemake results/tables/{place}.csv")
    cells: dict[tuple[str, str], Cell] = {}
    for cell in read_cells(path):
        if cell.reading == "as_published":
            cells.setdefault((cell.row, cell.column), cell)
    return cells


def choices_of(table: Table, cells: Mapping[tuple[str, str], Cell], rows: Sequence[str]) -> list[Choice]:
    """For each column of categories its methods, the best first; a tie goes to the row that stands first."""
    choices = []
    for column, pick in table.columns.items():
        if list(pick.where) == [CATEGORY]:
            there = [cell for row in rows if (cell := cells.get((row, column))) and cell.value is not None]
            if not there:
                raise PlumblineError(f"no number stands in the column {column!r}", where=f"{table.paper}/{table.name}")
            choices.append(Choice(column, pick.where[CATEGORY], ranked(there)))
    if not choices:
        raise PlumblineError(
            "the table has no column of a category",
            where=f"{table.paper}/{table.name}",
            expected="columns that pick `where: {category: […]}`",
        )
    return choices


def ranked(cells: Iterable[Cell]) -> list[Cell]:
    there = list(cells)
    sign = -1.0 if named(there[0].metric).better == "lower" else 1.0
    return sorted(there, key=lambda cell: -sign * (cell.value or 0.0))


def engine_of(choices: Sequence[Choice]) -> dict[str, Any]:
    methods = {choice.best.row: Method(choice.best.model, choice.best.protocol) for choice in choices}
    categories = {category: choice.best.row for choice in choices for category in choice.categories}
    return {"kind": "by_category", "methods": as_plain(methods), "categories": categories}


def dumped(data: Mapping[str, Any]) -> str:
    text: str = yaml.safe_dump(dict(data), sort_keys=False, allow_unicode=True)
    return text


def refuse_overwriting(files: Iterable[Path], force: bool) -> None:
    there = [str(file) for file in files if file.exists()]
    if there and not force:
        raise PlumblineError("a file of that name is there already", where=", ".join(there), do="add --force")
