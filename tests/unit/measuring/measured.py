"""One measure of some cases, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from invented import JUDGE
from plumbline.data.verdicts import Reading
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.measure import named
from plumbline.measuring.measured import Measured, measured
from plumbline.measuring.options import OtherJudge
from plumbline.measuring.sampling import Sampling, Stratum
from plumbline.measuring.units import Filter, Observation, observe


def observation_of(name: str, judge: Judge = JUDGE, sample: int = 0, **options: Any) -> Observation[Any]:
    """What a measure with these options looks at; another judge may be given as such."""
    options = {name: OtherJudge(*value) if isinstance(value, Judge) else value for name, value in options.items()}
    observer = named(name).observer
    return Observation(observer, judge, observer.options(**options), sample)


def of_cases(name: str, cases: Sequence[Case], reading: Reading = "as_published", **seen: Any) -> Measured:
    """A measure of some cases, over all of them, without percent."""
    measure = named(name)
    observation = observation_of(name, **seen)
    sampling = Sampling("bench", observe(cases, [observation]), Bootstrap(1, 2, 0.95))
    found = measured(measure, [sampling.part(observation, Stratum("", Filter(), ""))], reading)
    return replace(found, value=found.value / measure.scale)
