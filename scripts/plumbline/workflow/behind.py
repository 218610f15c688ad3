"""What was asked of models before the instances of a benchmark were there: texts, and labels of evaluators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.config.benchmark import DerivedBenchmark
from plumbline.config.whole import Config
from plumbline.derive.asked import FILTERING, PERTURBING, WRITING
from plumbline.derive.strategy import needs_of
from plumbline.workflow.builds import Build, builds, evaluating
from plumbline.writing.settings import uses_of


@dataclass(frozen=True)
class Behind:
    """One kind of ask."""

    benchmark: str
    model: str
    name: str
    """What it is filed under: the step in which it writes, or the protocol it judges with."""


def behind(config: Config, name: str) -> Iterator[Behind]:
    """All that a derived benchmark or a build stands on, also by way of what it is made of."""
    benchmark = config.benchmark.get(name)
    if isinstance(benchmark, DerivedBenchmark):
        yield from (Behind(benchmark.of, use.model, use.step) for use in uses_of(config, benchmark))
        yield from behind(config, benchmark.of)
    elif name in (known := builds(config)):
        yield from _of_build(config, known[name])


def _of_build(config: Config, build: Build) -> Iterator[Behind]:
    for part in (PERTURBING, WRITING):
        for model, steps in build.steps(part).items():
            yield from (Behind(build.part(part), model, step) for step in steps)
    shown = build.part(FILTERING)
    for model, protocols in evaluating(config).get(shown, {}).items():
        yield from (Behind(shown, model, protocol) for protocol in protocols)
    for declared in build.sets.values():
        yield from behind(config, needs_of(declared).benchmark)
