"""Which judges of a table differ beyond chance: paired tests on the same instances, adjusted for how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from plumbline.config.tables import Table
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cases import CaseFiles
from plumbline.measuring.counted import counted, worth
from plumbline.measuring.drawing import ACCENT, INK, Drawn, drawn
from plumbline.measuring.figures import titled
from plumbline.measuring.paired import alike, groups_alike
from plumbline.measuring.plans import Plan, is_built, plans
from plumbline.records.errors import PlumblineError

LEVEL = 0.05


class Scored(NamedTuple):
    """Rows of a table, with what each instance is worth to each of them."""

    names: list[str]
    scores: Floats
    """An instance a row, a judge a column."""


def scored(table: Table, cases: Mapping[str, CaseFiles]) -> Scored:
    """In the first measure, over the instances of all columns, as published."""
    chosen: dict[str, list[Plan]] = {}
    for plan in plans(table):
        if is_built(table, plan) and plan.measure.judged:
            chosen.setdefault(plan.row, []).append(plan)
    found: dict[str, dict[str, float]] = {}
    for row, mine in chosen.items():
        for plan in (plan for plan in mine if plan.metric == mine[0].metric):
            for each in counted(plan, cases[plan.pick.benchmark], "as_published"):
                value = worth(plan.measure, each.unit, "as_published")
                if value is not None:
                    found.setdefault(row, {})[each.case.instance.id] = value
    if len(found) < 2:
        raise PlumblineError(
            "fewer than two rows can be compared instance by instance",
            where=f"table {table.paper}/{table.name}, figures: critical",
            do="take `critical` out of its figures",
        )
    common = sorted(set.intersection(*map(set, found.values())))
    scores = [[values[instance] for values in found.values()] for instance in common]
    return Scored(list(found), np.array(scores))


def critical(table: Table, cases: Mapping[str, CaseFiles]) -> Drawn:
    """Judges by their mean; a bar joins those that a sign test (Holm, 5 %) cannot tell apart."""
    names, scores = scored(table, cases)
    means = 100 * scores.mean(axis=0)
    order = [int(place) for place in np.argsort(-means, kind="stable")]
    runs = groups_alike(order, alike(scores, LEVEL))

    def draw(axes: Axes) -> None:
        for height, judge in enumerate(order):
            axes.plot([means[judge]], [-height], "o", color=ACCENT, markersize=4)
            axes.annotate(
                f"{means[judge]:.1f}", (means[judge], -height), xytext=(6, -3), textcoords="offset points", fontsize=7
            )
        right = float(means.max()) + 0.12 * max(float(np.ptp(means)), 1.0)
        step = 0.05 * max(float(np.ptp(means)), 1.0)
        for number, (start, end) in enumerate(runs):
            axes.plot([right + number * step] * 2, [-start + 0.2, -end - 0.2], color=INK, linewidth=2.5)
        axes.set_yticks([-height for height in range(len(order))], [names[judge] for judge in order])
        axes.set_xlabel(
            f"mean over {len(scores)} instances, %; a bar joins rows that cannot be told apart (sign test, Holm, 5 %)"
        )
        axes.set_title(titled(table))

    return drawn(6.5, 0.28 * len(order) + 1.2, draw)
