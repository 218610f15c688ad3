"""Figures: the cells of one table as bars with their intervals."""

from __future__ import annotations

import io
from collections.abc import Sequence

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np

from plumbline.config.tables import Table
from plumbline.measuring.cells import PERCENT, Cell
from plumbline.measuring.grid import Grid

SALT = "plumbline"
"""Names inside the SVG are made from this instead of at random, so that equal cells give equal bytes."""


def bars(table: Table, cells: Sequence[Cell]) -> bytes:
    """A group of bars for each column, a bar for each row; whiskers are the bootstrap intervals."""
    grid = Grid.of(cells, "as_published")
    width = 0.8 / len(grid.lines)
    with matplotlib.rc_context(
        {"svg.hashsalt": SALT, "svg.fonttype": "none", "font.size": 9, "text.parse_math": False}
    ):
        drawing, axes = plt.subplots(figsize=(2.2 * len(grid.heads) + 2, 4))
        for number, (name, row) in enumerate(grid.lines.items()):
            shown = [(place, cell.value, *interval(cell)) for place, cell in enumerate(row) if cell.value is not None]
            heights = [value for _, value, _, _ in shown]
            whiskers = [
                [max(value - low, 0.0) for _, value, low, _ in shown],
                [max(high - value, 0.0) for _, value, _, high in shown],
            ]
            places = np.array([place for place, *_ in shown]) + (number - (len(grid.lines) - 1) / 2) * width
            axes.bar(places, heights, width, yerr=whiskers, label=name, capsize=2, error_kw={"linewidth": 0.7})
        axes.set_xticks(range(len(grid.heads)), [head.column for head in grid.heads])
        if units(cells) == {PERCENT}:
            axes.set_ylim(0, 100)
        axes.set_ylabel(", ".join([*dict.fromkeys(head.title for head in grid.heads), *sorted(units(cells) - {""})]))
        axes.set_title(f"{table.title} ({table.source})")
        axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        out = io.BytesIO()
        drawing.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": "plumbline"})
        plt.close(drawing)
    return out.getvalue()


def interval(cell: Cell) -> tuple[float, float]:
    """The interval of a number; the number itself where it has none."""
    assert cell.value is not None
    return cell.value if cell.low is None else cell.low, cell.value if cell.high is None else cell.high


def units(cells: Sequence[Cell]) -> set[str]:
    return {cell.unit for cell in cells if cell.value is not None}
