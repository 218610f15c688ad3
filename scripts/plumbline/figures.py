"""Figures: the cells of one table as bars with their intervals."""

from __future__ import annotations

import io
from collections.abc import Sequence

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np

from plumbline.declarations import Table
from plumbline.parquet import Row
from plumbline.tables import Grid

SALT = "plumbline"
"""Names inside the SVG are made from this instead of at random, so that equal cells give equal bytes."""


def bars(table: Table, cells: Sequence[Row]) -> bytes:
    """A group of bars for each column, a bar for each row; whiskers are the bootstrap intervals."""
    grid = Grid.of(cells, "as_published")
    width = 0.8 / len(grid.lines)
    with matplotlib.rc_context(
        {"svg.hashsalt": SALT, "svg.fonttype": "none", "font.size": 9, "text.parse_math": False}
    ):
        drawing, axes = plt.subplots(figsize=(2.2 * len(grid.heads) + 2, 4))
        for number, (name, row) in enumerate(grid.lines.items()):
            shown = [(place, cell) for place, cell in enumerate(row) if cell["value"] is not None]
            heights = [cell["value"] for _, cell in shown]
            whiskers = [
                [max(cell["value"] - cell["low"], 0.0) for _, cell in shown],
                [max(cell["high"] - cell["value"], 0.0) for _, cell in shown],
            ]
            places = np.array([place for place, _ in shown]) + (number - (len(grid.lines) - 1) / 2) * width
            axes.bar(places, heights, width, yerr=whiskers, label=name, capsize=2, error_kw={"linewidth": 0.7})
        axes.set_xticks(range(len(grid.heads)), [column for column, _ in grid.heads])
        axes.set_ylim(0, 100)
        axes.set_ylabel("accuracy, %")
        axes.set_title(f"{table.title} ({table.source})")
        axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        out = io.BytesIO()
        drawing.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": "plumbline"})
        plt.close(drawing)
    return out.getvalue()
