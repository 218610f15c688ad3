"""Which of a table's judges is the best in each category, and by how much it leads the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plumbline.commands.built_table import BuiltTable
from plumbline.config.tables import Pick
from plumbline.config.typed import build, known
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cells import Cell
from plumbline.measuring.measure import named
from plumbline.measuring.options import person_of
from plumbline.measuring.plans import CellPlan, derived, metrics_of, plans
from plumbline.measuring.table import Measuring
from plumbline.records.errors import PlumblineError

READING = "as_published"
Cells = Mapping[tuple[str, str], Cell]
"""By row and column."""


@dataclass(frozen=True)
class Choice:
    """The best judge of a column, the next one, and the difference of the two on the instances that both have."""

    column: str
    categories: tuple[str, ...]
    best: Cell
    second: Cell | None
    lead: Cell | None

    @property
    def is_tied(self) -> bool:
        return self.second is not None and self.second.value == self.best.value

    @property
    def is_within_uncertainty(self) -> bool:
        """Whether the interval of the lead holds 0."""
        lead = self.lead
        return lead is not None and lead.low is not None and lead.high is not None and lead.low <= 0 <= lead.high


def choices(built: BuiltTable, among: Sequence[str], metric: str, context: str) -> list[Choice]:
    """Of each column that is of some categories the best row, as published; the first of those that are tied."""
    columns = columns_of_categories(built, context)
    metric = metric_of(built, columns, metric)
    rows = rows_among(built, among, columns, metric)
    cells = {
        (cell.row, cell.column): cell
        for cell in built.cells
        if (cell.metric, cell.reading) == (metric, READING) and cell.value is not None
    }
    ranked = {column: by_value(cells, rows, column, metric) for column in columns}
    leads = measured_leads(built, ranked)
    return [
        Choice(column, columns[column], best, next(iter(others), None), leads.get(column))
        for column, (best, *others) in ranked.items()
    ]


def columns_of_categories(built: BuiltTable, context: str) -> dict[str, tuple[str, ...]]:
    """The columns that pick instances by their category alone, each with its categories; each category once."""
    where = f"table.{built.place}.columns"
    columns = {
        name: tuple(pick.where[context])
        for name, pick in built.table.columns.items()
        if pick.where.keys() == {context} and not derived(pick)
    }
    if not columns:
        raise PlumblineError(
            "no column of the table is of a category", where=where, expected=f"where: {{{context}: […]}}"
        )
    owners: dict[str, str] = {}
    for column, categories in columns.items():
        for category in categories:
            if category in owners:
                what = f"the category {category!r} is in two columns"
                raise PlumblineError(what, where=where, found=f"{owners[category]} and {column}")
            owners[category] = column
    return columns


def metric_of(built: BuiltTable, columns: Mapping[str, object], metric: str) -> str:
    """What judges are compared by: the measure that is asked for, or the only one there is."""
    there = dict.fromkeys(
        each for row in built.table.rows for column in columns for each in metrics_of(built.table, row, column)
    )
    if metric:
        known(metric, there, "--metric")
    elif len(there) > 1:
        raise PlumblineError("the table has several measures", found=", ".join(there), do="say which: --metric NAME")
    chosen = metric or next(iter(there))
    if named(chosen).better == "neither":
        raise PlumblineError(f"of the measure {chosen!r} neither more nor less is better", where="--metric")
    return chosen


def rows_among(built: BuiltTable, among: Sequence[str], columns: Mapping[str, object], metric: str) -> list[str]:
    """The rows that are asked for, or all that are judges; each must be one that a method can be."""
    judges: dict[str, bool] = {}
    for plan in plans(built.table):
        if plan.column in columns and plan.metric == metric:
            judges[plan.row] = judges.get(plan.row, True) and is_plain_judge(built, plan)
    for row in among:
        known(row, judges, "--among")
        if not judges[row]:
            raise PlumblineError(
                f"the row {row!r} is no method: it must be one model under one protocol",
                where="--among",
                do=f"take of these: {', '.join(name for name, is_judge in judges.items() if is_judge)}",
            )
    return list(among) or [name for name, is_judge in judges.items() if is_judge]


def is_plain_judge(built: BuiltTable, plan: CellPlan) -> bool:
    """Whether a cell is measured of one judge that is asked itself."""
    if plan.follows or built.table.rows[plan.row].by_column:
        return False
    if not all(plan.judge) or person_of(plan.options):
        return False
    return not built.is_composed(plan.pick.benchmark, plan.pick.model)


def by_value(cells: Cells, rows: Sequence[str], column: str, metric: str) -> list[Cell]:
    """The cells of a column that have a number, the best first."""
    there = [cells[row, column] for row in rows if (row, column) in cells]
    if not there:
        raise PlumblineError(f"none of the rows has a number in the column {column!r}", found=", ".join(rows))
    sign = -1 if named(metric).better == "higher" else 1
    return sorted(there, key=lambda cell: sign * (cell.value or 0))


def measured_leads(built: BuiltTable, ranked: Mapping[str, Sequence[Cell]]) -> dict[str, Cell]:
    """By column the difference of its two best rows, with the interval of a row that is declared so in a table.

    In the direction in which the best row leads: where less is better, the next one less the best.
    """
    pairs = {column: pair_of(cells) for column, cells in ranked.items() if len(cells) > 1}
    names = {column: f"{one} - {other}" for column, (one, other) in pairs.items()}
    rows = {row: built.table.rows[row] for pair in pairs.values() for row in pair}
    differences = {names[column]: Pick(difference=list(pair)) for column, pair in pairs.items()}
    table = replace(
        built.table,
        rows=rows | differences,
        columns={column: built.table.columns[column] for column in pairs},
        printed={},
    )
    settings = build(Bootstrap, built.link.settings["bootstrap"], "bootstrap")
    cells = Measuring(table, settings, built.cases).cells() if pairs else []
    metric = next(iter(ranked.values()))[0].metric
    there = {(cell.row, cell.column): cell for cell in cells if (cell.metric, cell.reading) == (metric, READING)}
    return {column: there[name, column] for column, name in names.items()}


def pair_of(cells: Sequence[Cell]) -> tuple[str, str]:
    best, second = cells[0].row, cells[1].row
    return (best, second) if named(cells[0].metric).better == "higher" else (second, best)


def benchmarks(chosen: Sequence[Choice]) -> Iterator[str]:
    """What the chosen rows are measured on, each once."""
    yield from dict.fromkeys(cell.benchmark for choice in chosen for cell in (choice.best, choice.second) if cell)
