"""The funnel of a set as a figure: what each stage kept, and for which reasons it dropped the rest."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from plumbline.data.ledger import KEPT
from plumbline.measuring.drawing import ACCENT, QUIET, Drawn, drawn
from plumbline.report.funnel import ROWS, Count

SHOWN = 3
"""So many reasons stand beside a stage."""


def funnel(name: str, counts: Sequence[Count]) -> Drawn:
    """A bar for each stage: what went in, and in full colour what was kept."""
    stages = list(dict.fromkeys(count.stage for count in counts))
    most = max((count.count for count in counts if count.count), default=1)

    def draw(axes: Axes) -> None:
        for place, stage in enumerate(stages):
            there = {count.outcome: count.count for count in counts if count.stage == stage}
            reasons = [f"{outcome} {number:,}" for outcome, number in there.items() if outcome not in (ROWS, KEPT)]
            axes.barh(-place, there[ROWS], color=QUIET, alpha=0.35, height=0.6)
            axes.barh(-place, there[KEPT], color=ACCENT, height=0.6)
            more = f" and {len(reasons) - SHOWN} more reasons" if len(reasons) > SHOWN else ""
            text = f"{there[KEPT]:,} of {there[ROWS]:,} kept"
            axes.text(1.02 * most, -place + 0.12, text, va="center")
            axes.text(
                1.02 * most, -place - 0.2, "; ".join(reasons[:SHOWN]) + more, va="center", fontsize=7, color=QUIET
            )
        axes.set_yticks([-place for place in range(len(stages))], stages)
        axes.set_xlim(0, most)
        axes.set_xlabel("rows")
        axes.set_title(f"{name}: from pool to pairs")

    return drawn(5, 0.7 * len(stages) + 1, draw)
