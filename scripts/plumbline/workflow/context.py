"""What the modules of the rules need of a run: its configuration, its settings by key, and what still stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from plumbline.audit.doubts import Doubts
from plumbline.config.benchmark import Benchmark
from plumbline.config.engine import ComposedSettings, EngineSettings
from plumbline.config.model import Model
from plumbline.config.tables import Table
from plumbline.models import kinds
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.manifest import Setting
from plumbline.workflow.composing.resolved import Resolved

T = TypeVar("T")
Wildcards = Any
ForWildcards = Callable[[Wildcards], Any]
Parts = dict[str, list[str]]
"""By file the names of those parts of it that are used."""
Groups = Mapping[str, Callable[[Resolved], Any]]
"""Settings of single jobs by the first word of their keys."""


class Context:
    """A run, as the modules of the rules see it."""

    def __init__(self, resolved: Resolved, get: Callable[[str], Any], mirror: str = "") -> None:
        self.resolved = resolved
        self.config = resolved.config
        self.get = get
        """The setting at a dotted key."""
        self.keyed = cache(self._keyed)
        self.mirror = mirror
        self.doubts = Doubts({}, {})
        """What of the results does not stand."""
        self.expected: dict[str, dict[str, str]] = {}
        """By file the digests of parts that this run takes to stay as they are."""

    def _keyed(self, key: str) -> Setting:
        """A setting with its key, as manifests record it; the jobs of all shards have the same."""
        return Setting(key, self.get(key))

    def setting(self, key: str) -> ForWildcards:
        """The setting at a dotted key in which wildcards may stand, e.g. `judge.{model}`."""
        return lambda wildcards: self.keyed(key.format(**dict(wildcards.items())))

    def model(self, name: str) -> Model:
        return self.known(self.config.model, name, "model")

    def engine(self, model: str) -> EngineSettings:
        return self.config.engine[self.model(model).engine]

    def benchmark(self, name: str) -> Benchmark:
        return self.known(self.resolved.nodes, name, "benchmark")

    def table(self, wildcards: Wildcards) -> Table:
        return self.resolved.table(wildcards.paper, wildcards.table)

    @cached_property
    def local_models(self) -> list[str]:
        """Models that are rules or records: judging with them takes seconds, wherever it is done."""
        return [name for name in self.config.model if not kinds.named(self.engine(name).kind).asks]

    @cached_property
    def composed_models(self) -> list[str]:
        """Judges that are made of judges: nobody is asked for them."""
        return [name for name in self.config.model if isinstance(self.engine(name), ComposedSettings)]

    @cached_property
    def unasked_models(self) -> list[str]:
        """Rules, and judges whose verdicts stand in a file: no call is made whose answer would have to be read."""
        local = [name for name in self.local_models if name not in self.composed_models]
        rules = [name for name in local if not kinds.named(self.engine(name).kind).answers]
        return rules + [name for name in local if self.model(name).says_verdicts]

    def transcripts(self, benchmark: str, model: str) -> list[str]:
        """The transcripts of one model about a benchmark, a file for each of its shards; none where none is kept."""
        if model in self.unasked_models or model in self.composed_models:
            return []
        count = self.benchmark(benchmark).shards
        return [f"results/ask/{benchmark}/{model}/{number}-of-{count}.parquet" for number in range(1, count + 1)]

    def as_used(self, parts: Mapping[str, Sequence[str]]) -> list[str]:
        """Files of which some parts are used, for Snakemake.

        What rests on parts that stay as they are is not to be made again because the file is, with others added. Such a
        file is named by its absolute path: to Snakemake one that no rule makes. With `ancient` it would overlook what
        is itself stale or missing behind a job that will run.
        """
        staying = {path for path, names in parts.items() if self.doubts.will_stay(path, names)}
        for path in staying:
            recorded = self.doubts.links[path].parts
            self.expected.setdefault(path, {}).update({name: recorded[name] for name in parts[path]})
        return [str(Path(path).absolute()) if path in staying else path for path in parts]

    @staticmethod
    def known(group: Mapping[str, T], name: str, word: str) -> T:
        if name not in group:
            raise PlumblineError(f"unknown {word} {name!r}", do=nearest(name, group))
        return group[name]


class RuleModule:
    """What the rules of one file in `rules/` ask of a run."""

    def __init__(self, run: Context) -> None:
        self.run = run


def parquet(kind: str, names: Sequence[str]) -> list[str]:
    """Files of instances, labels …, each once."""
    return [f"results/{kind}/{name}.parquet" for name in dict.fromkeys(names)]
