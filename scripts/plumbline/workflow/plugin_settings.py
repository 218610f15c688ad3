"""Which of the experiment's plugins each job needs: those that register what it uses, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from plumbline.asking import parser, program
from plumbline.asking.protocols import ProtocolName
from plumbline.asking.settings import kinds_of_parsers
from plumbline.config import typed
from plumbline.config.benchmark import Benchmark, DerivedBenchmark, ReadBenchmark
from plumbline.config.tables import Table
from plumbline.config.typed import Sections
from plumbline.config.whole import Config
from plumbline.data import loader
from plumbline.derive import derivation
from plumbline.measuring import measure
from plumbline.measuring.plans import plans
from plumbline.models import kinds
from plumbline.writing import step
from plumbline.writing.settings import kinds_of_parsers as kinds_of_step_parsers
from plumbline.writing.settings import options_of

ByModel = Mapping[str, Mapping[str, Iterable[str]]]
"""By benchmark and model the names of what the model is asked in."""


def declared(plain: Any) -> list[str]:
    """The plugins that an experiment names, before anything else of it is typed."""
    experiment = plain.get("experiment") if isinstance(plain, Mapping) else None
    found = experiment.get("plugins", []) if isinstance(experiment, Mapping) else []
    return typed.build(list[str], found, "config.experiment.plugins")


def by_job(
    config: Config, nodes: Mapping[str, Benchmark], asked: ByModel, writing: ByModel, table: Callable[[str, str], Table]
) -> Mapping[str, Mapping[str, Any]]:
    """By what a job is about, the plugins that it imports."""
    return {
        "making": {name: only([_of_making(one)]) for name, one in nodes.items()},
        "judging": {
            benchmark: {model: _of_judge(config, model, protocols) for model, protocols in models.items()}
            for benchmark, models in asked.items()
        },
        "writing": {
            benchmark: {model: _of_writer(config, model, steps) for model, steps in models.items()}
            for benchmark, models in writing.items()
        },
        "measuring": {
            paper: Sections({name: partial(_of_table, table, paper, name) for name in tables})
            for paper, tables in config.table.items()
        },
    }


def _of_making(benchmark: Benchmark) -> str:
    if isinstance(benchmark, DerivedBenchmark):
        return derivation.plugin_of(benchmark.derive)
    return loader.plugin_of(benchmark.loader) if isinstance(benchmark, ReadBenchmark) else ""


def _of_judge(config: Config, model: str, protocols: Iterable[str]) -> list[str]:
    programs = {config.protocol[ProtocolName.parse(name).base].program for name in protocols}
    parsers = kinds_of_parsers(config, model, protocols)
    return only([_of_engine(config, model), *map(program.plugin_of, programs), *map(parser.plugin_of, parsers)])


def _of_writer(config: Config, model: str, steps: Iterable[str]) -> list[str]:
    asked = (step.plugin_of(options_of(config, name).step) for name in steps)
    parsers = (kind for name in steps for kind in kinds_of_step_parsers(config, name))
    return only([_of_engine(config, model), *asked, *map(parser.plugin_of, parsers)])


def _of_engine(config: Config, model: str) -> str:
    return kinds.plugin_of(config.engine[config.model[model].engine].kind)


def _of_table(table: Callable[[str, str], Table], paper: str, name: str) -> list[str]:
    found = {plan.metric for plan in plans(table(paper, name))}
    errors = {measure.named(name).error for name in found} - {""}
    return only(map(measure.plugin_of, found | errors))


def only(plugins: Iterable[str]) -> list[str]:
    return sorted({plugin for plugin in plugins if plugin})
