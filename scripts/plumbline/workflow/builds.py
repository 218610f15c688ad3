"""Builds: sets that are built together, so that each model is loaded once for all of them.

A benchmark of the loader `construct` builds its sets together; each set can also be built by itself. In the parts of a
build where models are asked, all its sets stand in one file of instances.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from plumbline.asking.settings import in_wording, options_of
from plumbline.asking.steps import settings_of
from plumbline.config.benchmark import Benchmark, ConstructedBenchmark, DerivedBenchmark
from plumbline.config.construct import Construct, Filter
from plumbline.config.tables import Table
from plumbline.config.typed import known
from plumbline.config.whole import Config
from plumbline.derive.asked import FILTERING, subset_of, texts_of
from plumbline.derive.strategy import needs_of
from plumbline.records.errors import PlumblineError, nearest

HOME = "results/construct"


@dataclass(frozen=True)
class Place:
    """Where a set's stages are kept: SET, built by itself, or BUILD/SET."""

    build: str
    name: str

    @classmethod
    def parse(cls, text: str) -> Place:
        build, _, name = text.partition("/")
        return cls(build, name or build)

    @property
    def path(self) -> str:
        """As file names below the sets' folder have it."""
        return self.build if self.build == self.name else f"{self.build}/{self.name}"

    @property
    def home(self) -> str:
        return f"{HOME}/{self.path}"

    def file(self, stage: str) -> str:
        return f"{self.home}/{stage}.parquet"


@dataclass(frozen=True)
class Build:
    """Sets that are built together."""

    name: str
    sets: Mapping[str, Construct]

    def place(self, name: str) -> Place:
        """Where a set is found from here: in this build, or else by itself."""
        return Place(self.name if name in self.sets else name, name)

    def part(self, part: str) -> str:
        """The benchmark that a part of this build is to writers and judges."""
        return f"{self.name}/{part}"

    def asking(self, part: str) -> dict[str, dict[str, Any]]:
        """By set what is written about in a part: the roles of instructions, the drawn ones as an empty role."""
        found: dict[str, dict[str, Any]] = {}
        for name, declared in self.sets.items():
            texts = texts_of(declared)
            roles = list(dict.fromkeys(text.about for text in texts if text.part == part))
            if roles:
                retrieval = needs_of(declared).retrieval
                about = {"about": roles, "texts": [asdict(text) for text in texts if text.role in roles]}
                found[name] = about | ({"floor": retrieval.floor} if retrieval else {})
        return found

    def steps(self, part: str) -> dict[str, dict[str, list[str]]]:
        """By model and step the subsets that it is asked about in a part."""
        found: dict[str, dict[str, dict[str, None]]] = {}
        for name, declared in self.sets.items():
            for text in texts_of(declared):
                if text.part == part:
                    steps = found.setdefault(text.model, {})
                    steps.setdefault(text.step, {})[subset_of(name, text.about)] = None
        return {model: {step: list(about) for step, about in sorted(steps.items())} for model, steps in found.items()}

    def written_for(self, name: str, part: str = "") -> list[str]:
        """The files of texts that a set takes: those of one part, or all."""
        texts = [text for text in texts_of(self.sets[name]) if part in ("", text.part)]
        return list(dict.fromkeys(f"results/texts/{self.part(text.part)}/{text.model}.parquet" for text in texts))


def builds(config: Config) -> dict[str, Build]:
    """All builds by name: the benchmarks that are constructed, and each set by itself."""
    found = {name: Build(name, {name: declared}) for name, declared in config.construct.items()}
    for name, benchmark in constructed_benchmarks(config).items():
        sets = dict.fromkeys(made.partition("/")[0] for made in benchmark.subsets.values())
        if name in found:
            raise PlumblineError(
                f"a set and a benchmark are both called {name!r}",
                where=f"benchmark.{name}",
                do="give the benchmark another name: it builds its sets together under its own",
            )
        found[name] = Build(name, {each: config.construct[each] for each in sets})
    return found


def constructed_benchmarks(config: Config) -> dict[str, ConstructedBenchmark]:
    return {name: one for name, one in config.benchmark.items() if isinstance(one, ConstructedBenchmark)}


def build_of(config: Config, name: str) -> Build:
    found = builds(config)
    if name not in found:
        raise PlumblineError(f"no set and no constructed benchmark is called {name!r}", do=nearest(name, found))
    return found[name]


def finished(build: Build, config: Config, made: str) -> str:
    """The file of a finished set as a build sees it, or of SET/unreviewed as it was before people decided."""
    name, state = state_of(config, made)
    return build.place(name).file(state)


def state_of(config: Config, made: str) -> tuple[str, str]:
    """A set, and whether it is taken as people reviewed it, of SET or SET/unreviewed."""
    name, _, state = made.partition("/")
    known(name, config.construct, "construct")
    return name, state or ("reviewed" if config.construct[name].decisions else "unreviewed")


def built_of(config: Config, table: Table) -> dict[str, dict[str, str]]:
    """The benchmarks of a table whose sets are built here: by subset whether people reviewed its set."""
    picks = [table.picks, *table.columns.values(), *table.rows.values()]
    names = dict.fromkeys([table.benchmark, *(pick.benchmark for pick in picks)])
    found = {name: _states(config, config.benchmark[name]) for name in names if name}
    return {name: states for name, states in found.items() if states}


def _states(config: Config, benchmark: Benchmark) -> dict[str, str]:
    if isinstance(benchmark, DerivedBenchmark):
        return _states(config, config.benchmark[benchmark.of])
    if not isinstance(benchmark, ConstructedBenchmark):
        return {}
    return {subset: state_of(config, made)[1] for subset, made in benchmark.subsets.items()}


def evaluators_of(config: Config, declared: Filter) -> dict[str, list[str]]:
    """The protocols of each evaluator, named in full."""
    named = declared.evaluators.items()
    return {model: [in_wording(name, declared.wording, config) for name in protocols] for model, protocols in named}


def filtered_sets(build: Build) -> list[str]:
    """The sets whose candidates evaluators are shown."""
    return [name for name, declared in build.sets.items() if declared.filter.evaluators]


def evaluating(config: Config) -> dict[str, dict[str, dict[str, Any]]]:
    """By the benchmark that a build's candidates are, and by model, the protocols with the sets they are about."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for build in builds(config).values():
        for name in filtered_sets(build):
            for model, protocols in evaluators_of(config, build.sets[name].filter).items():
                asked = found.setdefault(build.part(FILTERING), {}).setdefault(model, {})
                for protocol in protocols:
                    asked.setdefault(protocol, options_of(config, protocol) | {"subsets": []})["subsets"].append(name)
    return found


def writing(config: Config, parts: tuple[str, ...]) -> dict[str, dict[str, dict[str, Any]]]:
    """By the benchmark that a part of a build is, by model and by step what decides the texts."""
    return {
        build.part(part): {
            model: {step: settings_of(config, step, about) for step, about in steps.items()}
            for model, steps in asked.items()
        }
        for build in builds(config).values()
        for part in parts
        if (asked := build.steps(part))
    }
