"""Figures: the cells of one table, drawn with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes

from plumbline.config.tables import Table
from plumbline.measuring.cells import PERCENT, Cell
from plumbline.measuring.drawing import ACCENT, INK, QUIET, Drawn, drawn
from plumbline.measuring.grid import CellGrid, Head


def bars(table: Table, cells: Sequence[Cell]) -> Drawn:
    """A group of bars for each column, a bar for each row; whiskers are the intervals."""
    grid = CellGrid.of(cells, "as_published")
    width = 0.8 / len(grid.lines)

    def draw(axes: Axes) -> None:
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
        axes.set_ylabel(measured(grid.heads, cells))
        axes.set_title(titled(table))
        axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))

    return drawn(2.2 * len(grid.heads) + 2, 4, draw)


def forest(table: Table, cells: Sequence[Cell]) -> Drawn:
    """Every number with its interval, a group of rows for each column; the paper's own as a cross, chance as a line."""
    grid = CellGrid.of(cells, "as_published")
    first = grid.heads[0].metric
    places = [place for place, head in enumerate(grid.heads) if head.metric == first]

    def draw(axes: Axes) -> None:
        height, ticks, names = 0.0, [], []
        for place in places:
            axes.text(
                -0.02,
                -height,
                grid.heads[place].column,
                transform=axes.get_yaxis_transform(),
                ha="right",
                weight="bold",
            )
            for name, line in grid.lines.items():
                height += 1
                ticks.append(-height)
                names.append(name)
                _point(axes, line[place], -height)
            height += 1.6
        axes.set_yticks(ticks, names)
        axes.set_ylim(min(ticks) - 1, 1)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        if table.chance is not None:
            axes.axvline(table.chance, color=QUIET, linewidth=0.8, linestyle="--")
        axes.set_xlabel(measured([grid.heads[place] for place in places], cells))
        axes.set_title(titled(table))

    return drawn(6, 0.19 * len(places) * (len(grid.lines) + 1.6) + 1, draw)


def _point(axes: Axes, cell: Cell, height: float) -> None:
    if cell.value is not None:
        axes.plot(interval(cell), (height, height), color=ACCENT, linewidth=1.2)
        axes.plot([cell.value], [height], "o", color=ACCENT, markersize=3.5)
    if cell.paper is not None:
        axes.plot([cell.paper], [height], "x", color=INK, markersize=4, markeredgewidth=0.8)


def agreement(table: Table, cells: Sequence[Cell]) -> Drawn:
    """The first two measures of the last column against each other, a point for each row."""
    grid = CellGrid.of(cells, "as_published")
    across, up = len(grid.heads) - 2, len(grid.heads) - 1

    def draw(axes: Axes) -> None:
        points = [(name, line[across], line[up]) for name, line in grid.lines.items()]
        there = sorted((x.value, name, x, y) for name, x, y in points if x.value is not None and y.value is not None)
        for number, (_, name, x, y) in enumerate(there):
            assert x.value is not None and y.value is not None
            axes.plot(interval(x), (y.value, y.value), color=QUIET, linewidth=0.7)
            axes.plot((x.value, x.value), interval(y), color=QUIET, linewidth=0.7)
            axes.plot([x.value], [y.value], "o", color=ACCENT, markersize=4)
            side, aligned = ((4, 4), "left") if number % 2 else ((-4, -9), "right")  # neighbours keep apart
            axes.annotate(name, (x.value, y.value), xytext=side, textcoords="offset points", ha=aligned, fontsize=7)
        for head, label in ((grid.heads[across], axes.set_xlabel), (grid.heads[up], axes.set_ylabel)):
            label(f"{head.column} {measured([head], cells)}")
        axes.set_title(titled(table))

    return drawn(5.5, 4.5, draw)


DRAWN: dict[str, Callable[[Table, Sequence[Cell]], Drawn]] = {"bars": bars, "forest": forest, "agreement": agreement}
"""The figures that are drawn of cells alone."""


def titled(table: Table) -> str:
    return f"{table.title} ({table.source})"


def measured(heads: Sequence[Head], cells: Sequence[Cell]) -> str:
    """What an axis shows, and in which unit."""
    return ", ".join([*dict.fromkeys(head.title for head in heads), *sorted(units(cells) - {""})])


def interval(cell: Cell) -> tuple[float, float]:
    """The interval of a number; the number itself where it has none."""
    assert cell.value is not None
    return cell.value if cell.low is None else cell.low, cell.value if cell.high is None else cell.high


def units(cells: Sequence[Cell]) -> set[str]:
    return {cell.unit for cell in cells if cell.value is not None}
