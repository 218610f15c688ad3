"""Measures that count what a benchmark holds: instructions, systems, categories (HREF, Tables 7 and 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from plumbline.data.instances import CATEGORY
from plumbline.data.verdicts import Reading
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cases import Case
from plumbline.measuring.measure import measure
from plumbline.measuring.options import SystemOptions
from plumbline.measuring.units import Observation, observer


@dataclass(frozen=True)
class DistinctOptions(SystemOptions):
    """Of the measure that counts different things."""

    of: Literal["instruction", "system", "category"] = "instruction"
    """What is counted."""


class Things(NamedTuple):
    """What one instance has of what is counted."""

    names: tuple[str, ...]
    missing: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    close: int = 0

    def describe(self, reading: Reading) -> str:
        return ", ".join(self.names)


@observer(options=DistinctOptions, describes="what it has of it")
def things(case: Case, seen: Observation[DistinctOptions]) -> Things:
    instance, systems = case.instance, seen.options.systems
    if seen.options.of == "instruction":
        return Things((instance.instruction,))
    if seen.options.of == "category":
        return Things(tuple(instance.context.get(CATEGORY, ())))
    return Things(tuple(one.system for one in instance.outputs if not systems or one.system in systems))


def present(totals: Floats) -> Floats:
    """How many things there are any of."""
    return np.asarray((totals > 0).sum(axis=-1), dtype=np.float64)


@measure("distinct", "n", things, present, better="neither", digits=0, adds=True, judged=False, kind="none")
def distinct(units: Sequence[Things], reading: Reading) -> Floats:
    """How many different instructions, systems or categories the instances have; each counts once."""
    columns = {name: number for number, name in enumerate(dict.fromkeys(name for unit in units for name in unit.names))}
    table = np.zeros((len(units), max(len(columns), 1)))
    for row, unit in enumerate(units):
        table[row, [columns[name] for name in unit.names]] = 1.0
    return table
