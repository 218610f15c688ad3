"""A configuration as it is rehearsed: stand-ins in place of every source, and scripted judges in place of models."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

from plumbline.config.benchmark import Benchmark, PaperSize
from plumbline.config.engine import EngineSettings
from plumbline.config.labelling import Labelling
from plumbline.config.model import Model
from plumbline.config.source import Source
from plumbline.config.whole import Config
from plumbline.models import kinds
from plumbline.models.engines import by_system, recorded, rehearsed
from plumbline.models.engines.rehearsed import RehearsedModel
from plumbline.workflow.rehearsing.plan import SYSTEMS
from plumbline.workflow.rehearsing.stand_ins import MadeUpSources, path_of

ENGINE = "rehearsed"
OWN_MODELS = [f"rehearsed_system_{number}" for number in range(1, SYSTEMS + 1)]
"""The models that the systems of `by_system` are in turn: those that write made-up outputs are all different."""
TITLE = "REHEARSAL, made-up data: "
AGREEMENT = 0.5
AGREE = {"direct_score": 0.2, "checked_score": 0.3}
"""How far simulated raters agree, in general and on some questions: as far as people do in TICK's Table 6."""
NOBODY = "a rehearsal has no stand-in for it yet (scripts/plumbline/workflow/rehearsing/layouts/)"


def as_rehearsed(config: Config) -> Config:
    """The same tables, of nothing real."""
    makes = MadeUpSources(config)
    models = {name: rehearsed_model(name, model, config.engine[model.engine]) for name, model in config.model.items()}
    models |= {name: RehearsedModel(label=f"{name} (rehearsed)", engine=ENGINE, stands_for=name) for name in OWN_MODELS}
    engines = {name: with_systems(engine) for name, engine in config.engine.items()}
    tables = {
        paper: {name: replace(table, title=TITLE + table.title) for name, table in tables.items()}
        for paper, tables in config.table.items()
    }
    benchmarks = {
        name: replace(
            one, title=TITLE + (one.title or name), paper_size=PaperSize(), labelling=rehearsed_labelling(config, one)
        )
        for name, one in config.benchmark.items()
    }
    return replace(
        config,
        source={name: rehearsed_source(name, source, makes.has(name)) for name, source in config.source.items()},
        model=models,
        engine={**engines, ENGINE: rehearsed.Settings(kind=ENGINE)},
        table=tables,
        benchmark=benchmarks,
        paper={name: replace(paper, title=TITLE + paper.title) for name, paper in config.paper.items()},
    )


def rehearsed_labelling(config: Config, benchmark: Benchmark) -> Labelling | None:
    """With raters who are simulated, all of the instances."""
    labelling = benchmark.labelling
    if labelling is None:
        return None
    asked = [name for names in labelling.ways(list(benchmark.questions)).values() for name in names]
    agree = {name: AGREE.get(name, AGREEMENT) for name in asked}
    apart = config.experiment.rehearsal == "permuted"
    return replace(labelling, simulated=agree, simulated_apart=apart, sample=0)


def is_replaced(engine: EngineSettings) -> bool:
    """Whether a model on it would be asked, or was once; a function is called in a rehearsal too."""
    kind = kinds.named(engine.kind)
    return (kind.asks and "calls" not in kind.answers) or isinstance(engine, recorded.Settings)


def rehearsed_model(name: str, model: Model, engine: EngineSettings) -> Model:
    """One that asks nobody stays what it is."""
    label = f"{model.label} (rehearsed)"
    if not is_replaced(engine):
        return replace(model, label=label)
    asked_by = list(model.programs)
    return RehearsedModel(label=label, engine=ENGINE, parsers=model.parsers, stands_for=name, asked_by=asked_by)


def rehearsed_source(name: str, source: Source, has_stand_in: bool) -> Source:
    """A source's stand-in; where there is none, nothing real is taken in its place."""
    nobody = "" if has_stand_in else NOBODY
    return Source(TITLE + source.title, source.licence, source.citation, holder=nobody, path=str(path_of(name)))


def with_systems(engine: EngineSettings) -> EngineSettings:
    if isinstance(engine, by_system.Settings):
        return replace(engine, systems=dict(zip(engine.systems, cycle(OWN_MODELS), strict=False)))
    return engine
