"""One measure of some cases, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from invented import JUDGE
from plumbline.data.verdicts import Reading
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import Case
from plumbline.measuring.measure import named
from plumbline.measuring.measured import Measured, measured
from plumbline.measuring.sampling import Sampling, Stratum
from plumbline.measuring.units import Filter, Observation, observe


def of_cases(name: str, cases: Sequence[Case], reading: Reading = "as_published", **seen: object) -> Measured:
    """A measure of some cases, over all of them, without percent."""
    measure = named(name)
    observation = Observation(measure.observer, JUDGE, **seen)  # type: ignore[arg-type]
    sampling = Sampling("bench", observe(cases, [observation]), Bootstrap(1, 2, 0.95))
    found = measured(measure, [sampling.part(observation, Stratum("", Filter(), ""))], reading)
    return replace(found, value=found.value / measure.scale)
