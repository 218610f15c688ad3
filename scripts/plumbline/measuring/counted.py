"""What a cell counts of an instance: the unit that it gives to the measure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from plumbline.data.verdicts import Reading
from plumbline.measuring.cases import Case
from plumbline.measuring.measure import Measure, part_of_whole
from plumbline.measuring.plans import CellPlan


class CellInstance(NamedTuple):
    """An instance, and its unit in one run."""

    case: Case
    unit: Any


def counted(plan: CellPlan, case: Case, reading: Reading) -> Iterator[CellInstance]:
    """What one case gives to a cell, in each run; it may hold verdicts of other judges too."""
    instance = case.instance
    if any(s.subset in ("", instance.subset) and s.chosen.keeps(instance) for s in plan.strata):
        for run in plan.runs:
            unit = run.observer.see(case, run)
            if unit is not None and not np.isnan(plan.measure.features([unit], reading)).any():
                yield CellInstance(case, unit)


def worth(measure: Measure, unit: Any, reading: Reading) -> float | None:
    """What one instance is worth, from 0 to 1 or as a number, where the measure is a mean or a ratio."""
    if measure.value is not part_of_whole:
        return None
    return float(measure.value(measure.features([unit], reading)[0]))
