"""`plumbline status`: how many cells of each table have which status, and what the waiting ones wait for."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from plumbline.data.verdicts import READINGS
from plumbline.measuring.cells import STATUSES, Cell, read_cells
from plumbline.records.errors import PlumblineError
from plumbline.records.files import read_json
from plumbline.records.manifest import RESULTS
from plumbline.report.terminal import plain


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("status", help="how many cells of each table equal the printed ones, differ or wait")
    parser.add_argument("--reading", choices=READINGS, default="as_published", help="default: %(default)s")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    files = sorted((RESULTS / "cells").glob("*/*.parquet"))
    if not files:
        raise PlumblineError("no table has been built yet", where=str(RESULTS / "cells"), do="snakemake --cores 2")
    total: Counter[str] = Counter()
    waiting: list[tuple[str, Cell]] = []
    print(f"{'table':24}" + "".join(f"{status:>10}" for status in STATUSES))
    for file in files:
        cells = [cell for cell in read_cells(file) if cell.reading == arguments.reading]
        tally: Counter[str] = Counter(cell.status for cell in cells)
        total += tally
        name = f"{file.parent.name}/{file.stem}"
        print(line(name, tally))
        waiting += [(name, cell) for cell in cells if cell.status == "waiting"]
    print(line("total", total))
    for name in not_built(files):
        print(f"{name:24}not built: snakemake --cores 2 results/tables/{name}.csv")
    lacking = [(name, cell) for name, cell in waiting if "program" in cell.waits_for]
    others = [(name, cell) for name, cell in waiting if "program" not in cell.waits_for]
    show_waiting("waiting for weights, data or a key alone", others)
    show_waiting("waiting for a program that Plumbline does not have yet", lacking)
    return 0


def line(name: str, tally: Counter[str]) -> str:
    return (f"{name:24}" + "".join(f"{tally[status] or '':>10}" for status in STATUSES)).rstrip()


def show_waiting(title: str, waiting: Sequence[tuple[str, Cell]]) -> None:
    """The rows that wait, each with its printed cells, under what they wait for."""
    if not waiting:
        return
    print(f"\n{title}: {counted(len(waiting))}")
    reasons: dict[str, Counter[str]] = {}
    for name, cell in waiting:
        reasons.setdefault(cell.reason, Counter())[f"{name} {cell.row}"] += 1
    for reason, places in reasons.items():
        print(f"  {plain(reason)}")
        for place, cells in places.items():
            print(f"    {plain(place)}: {counted(cells)}")


def counted(cells: int) -> str:
    return f"{cells} printed cell" + ("s" if cells > 1 else "")


def not_built(files: list[Path]) -> list[str]:
    """Tables that the configuration declares and nobody has built."""
    config = RESULTS / "config.json"
    if not config.is_file():
        return []
    built = {(file.parent.name, file.stem) for file in files}
    tables = read_json(config).get("table", {})
    return [f"{paper}/{name}" for paper in tables for name in tables[paper] if (paper, name) not in built]
