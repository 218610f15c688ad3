"""`plumbline composite`: a judge that takes in each category the method that a table finds best there."""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from plumbline.commands.built_table import BuiltTable
from plumbline.commands.chosen_methods import Choice, benchmarks, choices
from plumbline.data.instances import CATEGORY
from plumbline.measuring.cells import Cell
from plumbline.records.errors import PlumblineError
from plumbline.records.files import write_text
from plumbline.report.terminal import plain

NAME = re.compile(r"[A-Za-z0-9_]+")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("composite", help="make a judge of the best method of each category of a table")
    parser.add_argument("table", metavar="PAPER/TABLE", help="a built table with columns that pick by category")
    parser.add_argument(
        "--among",
        default="",
        metavar="ROWS",
        help="the rows to choose from, with commas between them; one that has a comma itself in double quotes "
        "(default: all that are one model under one protocol)",
    )
    parser.add_argument("--name", required=True, help="what the judge is called: the name of its two files")
    parser.add_argument("--metric", default="", help="the measure, where the table has several")
    parser.add_argument(
        "--context", default=CATEGORY, help="the context that the columns pick by (default: %(default)s)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite files of this name")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    files = [Path("config") / group / f"{arguments.name}.yaml" for group in ("engine", "model")]
    check_files(arguments.name, files, arguments.force)
    among = next(csv.reader([arguments.among], skipinitialspace=True), [])
    rows = [row.strip() for row in among if row.strip()]
    chosen = choices(BuiltTable.at(arguments.table), rows, arguments.metric, arguments.context)
    for line in lines(chosen):
        print(plain(line))
    for path, settings in zip(files, (engine_of(chosen, arguments.context), model_of(arguments.name)), strict=True):
        write_text(path, header(arguments.table, chosen) + yaml.safe_dump(settings, sort_keys=False, width=120))
    print(
        f"\nWrote {files[0]} and {files[1]}. A row of a table: {{model: {arguments.name}, protocol: composite}}.\n"
        "The map was chosen by these numbers: on the same instances the judge looks better than it is. A row with\n"
        "`best_of` says strictly how well such a choice does on other instances."
    )
    return 0


def check_files(name: str, files: Sequence[Path], is_forced: bool) -> None:
    if not NAME.fullmatch(name):
        raise PlumblineError(f"{name!r} is no name of a judge", where="--name", expected="letters, digits and _")
    there = [str(path) for path in files if path.exists()]
    if there and not is_forced:
        raise PlumblineError(
            f"there is a file of this name already: {' and '.join(there)}",
            where="--name",
            do="take another name, or say --force to overwrite it",
        )


def engine_of(chosen: Sequence[Choice], context: str) -> dict[str, Any]:
    """The map as `config/engine/` takes it; methods are called as their rows."""
    methods = {choice.best.row: {"model": choice.best.model, "protocol": choice.best.protocol} for choice in chosen}
    categories = {category: choice.best.row for choice in chosen for category in choice.categories}
    named = {} if context == CATEGORY else {"context": context}
    return {"kind": "by_category", "methods": methods, "categories": categories, **named}


def model_of(name: str) -> dict[str, Any]:
    return {"label": f"Composite {name}", "engine": name}


def header(table: str, chosen: Sequence[Choice]) -> str:
    """A comment that says where the map is from."""
    metric = chosen[0].best.metric
    return f"# Written by `plumbline composite {table}`: of each category the row that was best there by {metric}.\n"


def lines(chosen: Sequence[Choice]) -> Iterator[str]:
    """A line for each column, and what to know of them all."""
    for choice in chosen:
        yield f"{', '.join(choice.categories)}: {choice.best.row}, {with_interval(choice.best)}; {lead_of(choice)}"
    if len(names := list(benchmarks(chosen))) > 1:
        yield f"Not all of these are measured on the same instances, but on {' and '.join(names)}: see --among."


def lead_of(choice: Choice) -> str:
    """By how much the best row leads the next."""
    second, lead = choice.second, choice.lead
    if second is None:
        return "no other row has a number"
    next_one = f"{second.row} ({number(second.value, second)})"
    if choice.is_tied:
        return f"as good as {next_one}: the first of the two is taken"
    if lead is None or lead.value is None:
        return f"before {next_one}"
    words = f"{with_interval(lead)} before {next_one}"
    return f"{words}: less than its uncertainty" if choice.is_within_uncertainty else words


def with_interval(cell: Cell) -> str:
    if cell.low is None or cell.high is None:
        return f"{number(cell.value, cell)} (no interval)"
    return f"{number(cell.value, cell)} [{number(cell.low, cell)}, {number(cell.high, cell)}]"


def number(value: float | None, cell: Cell) -> str:
    return "none" if value is None else f"{value:.{cell.digits}f}"
