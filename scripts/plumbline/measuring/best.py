"""The bold rule: the best of a column, and all that overlap it (riSum, Table 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from plumbline.config.tables import Table
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cells import ARITHMETIC, Cell
from plumbline.measuring.measure import Better, named
from plumbline.measuring.plans import sources


def near_the_best(values: Floats, errors: Floats, better: Better) -> np.ndarray:
    """Which values, give or take their standard errors, overlap the best one; none of those that are not defined."""
    if better == "neither" or np.isnan(values).all():
        return np.zeros(len(values), dtype=bool)
    up = values if better == "higher" else -values
    best, errors = int(np.nanargmax(up)), np.nan_to_num(errors)
    return np.asarray(up + errors >= up[best] - errors[best] - ARITHMETIC) & ~np.isnan(values)


def with_best(table: Table, cells: Sequence[Cell]) -> list[Cell]:
    """The cells of a table that declares `bold`, with those marked that it prints so, in each reading.

    Rows and columns that follow from others do not compete, nor do standard errors.
    """
    rivals = [cell for cell in cells if not sources(table, cell.row, cell.column)]
    errors = {named(cell.metric).error for cell in rivals}
    columns: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in rivals if table.bold else ():
        if cell.metric not in errors:
            columns.setdefault((cell.column, cell.metric, cell.reading), []).append(cell)
    best = {cell for column in columns.values() for cell in best_of(column)}
    return [replace(cell, best=True) if cell in best else cell for cell in cells]


def best_of(column: Sequence[Cell]) -> list[Cell]:
    """The best of one column in one reading."""
    values, errors = np.array([(known(cell.value), known(cell.se)) for cell in column]).T
    chosen = near_the_best(values, errors, named(column[0].metric).better)
    return [cell for cell, is_chosen in zip(column, chosen, strict=True) if is_chosen]


def known(number: float | None) -> float:
    return np.nan if number is None else number
