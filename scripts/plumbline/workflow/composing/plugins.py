"""Which of the experiment's plugins each job needs: those that register what it uses, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from plumbline.asking import parser
from plumbline.asking.settings import Asked, kinds_of_parsers, program_plugins
from plumbline.config import typed
from plumbline.config.benchmark import Benchmark, DerivedBenchmark, ReadBenchmark
from plumbline.config.tables import Table
from plumbline.config.typed import Sections
from plumbline.config.whole import Config
from plumbline.data import loader
from plumbline.derive import derivation, derived_judge
from plumbline.measuring import measure
from plumbline.measuring.plans import plans
from plumbline.models import kinds
from plumbline.workflow.composing import composed_judges


def declared(plain: Any) -> list[str]:
    """The plugins that an experiment names, before anything else of it is typed."""
    experiment = plain.get("experiment") if isinstance(plain, Mapping) else None
    named = experiment.get("plugins", []) if isinstance(experiment, Mapping) else []
    return typed.build(list[str], named, "config.experiment.plugins")


def by_job(
    config: Config,
    nodes: Mapping[str, Benchmark],
    asked: Mapping[str, Mapping[str, Asked]],
    table: Callable[[str, str], Table],
) -> Mapping[str, Mapping[str, Any]]:
    """By what a job is about, the plugins that it imports."""
    return {
        "benchmark": {name: only([_of_benchmark(one)]) for name, one in nodes.items()},
        "judge": {
            benchmark: {model: _of_ask(config, model, what) for model, what in models.items()}
            for benchmark, models in asked.items()
        },
        "table": {
            paper: Sections({name: partial(_of_table, table, paper, name) for name in tables})
            for paper, tables in config.table.items()
        },
    }


def _of_benchmark(benchmark: Benchmark) -> str:
    if isinstance(benchmark, DerivedBenchmark):
        return derivation.plugin_of(benchmark.derive)
    return loader.plugin_of(benchmark.loader) if isinstance(benchmark, ReadBenchmark) else ""


def _of_ask(config: Config, model: str, asked: Asked) -> list[str]:
    engine = kinds.plugin_of(config.engine[config.model[model].engine].kind)
    if settings := composed_judges.settings_of(config, model):
        return only([engine, derived_judge.plugin_of(settings.kind)])
    parsers = kinds_of_parsers(config, model, asked)
    return only([engine, *program_plugins(asked), *map(parser.plugin_of, parsers)])


def _of_table(table: Callable[[str, str], Table], paper: str, name: str) -> list[str]:
    measures = {plan.metric for plan in plans(table(paper, name))}
    errors = {measure.named(name).error for name in measures} - {""}
    return only(map(measure.plugin_of, measures | errors))


def only(plugins: Iterable[str]) -> list[str]:
    return sorted({plugin for plugin in plugins if plugin})
