"""The noise ceiling beside each number of a judge that is held against people: a mark, told below tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from plumbline.config.tables import Table
from plumbline.data.instances import CHECKLIST
from plumbline.measuring.cases import Judge
from plumbline.measuring.ceiling_marks import NOISE_CEILING, ONE_PERSON
from plumbline.measuring.cells import Cell
from plumbline.measuring.estimates import Estimate, estimate_of
from plumbline.measuring.measure import Measure, named
from plumbline.measuring.measured import measured
from plumbline.measuring.measures.answers import ScoreOptions
from plumbline.measuring.measures.checklists import AgreementOptions
from plumbline.measuring.measures.noise_ceiling import CeilingOptions, Said, said
from plumbline.measuring.measures.people import RatingOptions
from plumbline.measuring.options import MeasureOptions, SystemOptions, other_judges, person_of
from plumbline.measuring.pairs import PairOptions
from plumbline.measuring.plans import CellPlan
from plumbline.measuring.sampling import Sampling, Stratum
from plumbline.measuring.units import Observation


def peoples_question(options: MeasureOptions) -> str:
    """Which question people answered whom a judge is held against; empty where it is held against nobody's answers."""
    if isinstance(options, AgreementOptions):
        return CHECKLIST
    return options.question if isinstance(options, PairOptions | RatingOptions | ScoreOptions) else ""


def ceiling_runs(plan: CellPlan) -> list[Observation[CeilingOptions]]:
    """What is observed for the ceiling of a cell: what people answered, if the cell holds a judge against it."""
    measure, options = plan.measure, plan.options
    if not measure.judged or measure.better == "neither" or measure.kind == "percentiles":
        return []
    if person_of(options) or any(other_judges(options)):
        return []
    question = peoples_question(options)
    systems = options.systems if isinstance(options, SystemOptions) else ()
    return [Observation(said, Judge("", ""), CeilingOptions(systems, question))] if question else []


@dataclass
class Ceilings:
    """The marks of cells, each worked out once for all judges that are held against the same people."""

    level: float
    _known: dict[tuple[Any, ...], tuple[str, ...]] = field(default_factory=dict)

    def marked(self, cell: Cell, plan: CellPlan, table: Table, samplings: Mapping[str, Sampling]) -> Cell:
        """A cell with the ceiling of what is measured there; what follows from other cells has none."""
        if not plan.is_built:
            return cell
        sampling = samplings[plan.pick.benchmark]
        return replace(
            cell, marks=(*cell.marks, *(m for run in ceiling_runs(plan) for m in self._of(run, plan, sampling)))
        )

    def _of(self, run: Observation[CeilingOptions], plan: CellPlan, sampling: Sampling) -> tuple[str, ...]:
        key = sampling.benchmark, run, *plan.strata, plan.pick.pooled
        if key not in self._known:
            self._known[key] = self._mark(run, plan.strata, plan.pick.pooled, sampling)
        return self._known[key]

    def _mark(
        self, run: Observation[CeilingOptions], strata: list[Stratum], pooled: bool, sampling: Sampling
    ) -> tuple[str, ...]:
        parts = [sampling.part(run, stratum) for stratum in strata]
        units: list[Said] = [unit for part in parts for unit in part.kinds]
        if not units or not all(part.kinds for part in parts):
            return ()
        answers = [answer for unit in units for item in unit.items for answer in item]
        if not answers:
            return (ONE_PERSON,)
        measure = _measure_of(answers)
        estimate = estimate_of(measure, measured(measure, parts, "strict", pooled), self.level)
        return (in_words(measure, estimate),) if estimate.value == estimate.value else ()


def _measure_of(answers: list[str | float]) -> Measure:
    """Of words how often they agree, of numbers how they correlate."""
    return named("noise_ceiling" if isinstance(answers[0], str) else "noise_ceiling_pearson")


def in_words(measure: Measure, estimate: Estimate) -> str:
    digits, sign, unit = (1, "", " %") if measure.unit else (2, "r ", "")
    interval = "" if estimate.low != estimate.low else f" ({estimate.low:.{digits}f} to {estimate.high:.{digits}f})"
    return f"{NOISE_CEILING} {sign}{estimate.value:.{digits}f}{unit}{interval}"
