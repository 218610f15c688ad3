"""Cells without instances: a file may hold a part of its benchmark, and what it lacks is said where it is missed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plumbline.config.tables import Table
from plumbline.measuring.plans import CellPlan
from plumbline.measuring.sampling import Sampling, Stratum
from plumbline.records.errors import PlumblineError


def missing_instances(plan: CellPlan, sampling: Sampling) -> str:
    """Which instances there are none of that a cell is to be measured on, or nothing; none can be counted."""
    empty = [stratum for stratum in plan.strata if not len(sampling.members(stratum))]
    if plan.measure.adds or not empty or (plan.pick.pooled and len(empty) < len(plan.strata)):
        return ""
    return f"no instance of {plan.pick.benchmark} has " + ", and none has ".join(map(described, empty))


def described(stratum: Stratum) -> str:
    """What the instances of a stratum have, in words."""
    matching, where, having = stratum.chosen.matching, stratum.chosen.where, stratum.chosen.having
    words = [f"the subset {stratum.subset!r}"] if stratum.subset else []
    words += [f"the {name} {' or '.join(map(repr, texts))}" for name, texts in where]
    words += [f"an instruction that matches {matching!r}"] if matching else []
    words += [f"a text {name!r}" for name in having]
    return " and ".join(words) or "anything"


def refuse_unjudged(table: Table, built: Iterable[CellPlan], samplings: Mapping[str, Sampling]) -> None:
    """A mean over instances without verdicts is no number, and that nothing in a table has instances is a mistake.

    All that lack some are named at once.
    """
    asked: dict[str, tuple[CellPlan, Stratum]] = {}
    for plan in built:
        if plan.measure.judged and plan.observation not in samplings[plan.pick.benchmark].observed.failed:
            for stratum in plan.strata:
                what = f"{stratum.subset or 'all'!r} of {plan.pick.benchmark}, asked by row {plan.row!r}"
                asked[what] = plan, stratum
    there = {what: (plan, s) for what, (plan, s) in asked.items() if len(samplings[plan.pick.benchmark].members(s))}
    unjudged = [what for what, (plan, s) in there.items() if not is_judged(plan, s, samplings[plan.pick.benchmark])]
    if unjudged or (asked and not there):
        raise PlumblineError(
            "a subset has no judged instance, so there is nothing to average",
            where=f"table {table.paper}/{table.name}",
            found="; ".join(unjudged or asked),
            do="take the subset out of the table's columns, or give it instances",
        )


def is_judged(plan: CellPlan, stratum: Stratum, sampling: Sampling) -> bool:
    return all(sampling.is_judged(run, stratum) for run in plan.runs)
