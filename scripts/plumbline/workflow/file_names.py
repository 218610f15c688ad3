"""Which files a rule reads, by its wildcards: names that follow from the configuration alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from plumbline.asking.protocols import wordings_of
from plumbline.asking.wording import template_paths
from plumbline.audit.doubts import Doubts
from plumbline.config.engine import ComposedSettings
from plumbline.config.whole import Config
from plumbline.measuring import identity
from plumbline.measuring.plans import benchmarks, needs
from plumbline.records.closure import Code, code_of
from plumbline.records.errors import PlumblineError, nearest
from plumbline.workflow.resolved import Resolved

FORMATS = ("csv", "md", "tex", "html")
DRAWN = ("svg", "pdf")
Wildcards = Any
ForWildcards = Callable[[Wildcards], Any]


class FileNames:
    """What the rules' input functions answer."""

    config: Config
    resolved: Resolved
    doubts: Doubts
    expected: dict[str, dict[str, str]]
    """By file the digests of parts that this run takes to stay as they are."""

    def register_of(self, wildcards: Wildcards) -> list[str]:
        """A source's entry in the register, its pins, and the file itself where it is one of yours."""
        source = self._known(self.config.source, wildcards.source, "source")
        pins = [f"config/source/{source.pins}"] if source.pins else []
        return [f"config/source/{wildcards.source}.yaml", *pins, *([source.path] if source.path else [])]

    def recorded_of(self, wildcards: Wildcards) -> list[str]:
        return [f"results/source/{source}.zip" for source in self._model(wildcards).sources]

    def wordings_asked(self, wildcards: Wildcards) -> list[str]:
        """The wordings that a model is asked in about a benchmark."""
        self._model(wildcards)
        asked = self.resolved.get(f"asked.{wildcards.benchmark}.{wildcards.model}")
        return [self.wording(name) for name in wordings_of(asked)]

    def wordings_replayed(self, wildcards: Wildcards) -> list[str]:
        """Those of them in which it states what is read here."""
        self._model(wildcards)
        key = f"replayed.{wildcards.stated}.{wildcards.benchmark}.{wildcards.model}"
        return [self.wording(name) for name in wordings_of(self.resolved.get(key)["asked"])]

    def wording(self, prompts: str) -> str:
        """The file that keeps a prompt set's templates with the results."""
        self._known(self.config.prompts, prompts, "prompt set")
        return f"results/wording/{prompts}.zip"

    def templates_of(self, wildcards: Wildcards) -> list[str]:
        """What a prompt set's templates are read from: its source, or the configuration."""
        prompts = self._known(self.config.prompts, wildcards.prompts, "prompt set")
        return [f"results/source/{prompts.source}.zip"] if prompts.source else template_paths(prompts)

    def transcripts_of(self, wildcards: Wildcards) -> list[str]:
        return [] if wildcards.model in self.composed else self.shards(wildcards, wildcards.model)

    def shards(self, wildcards: Wildcards, model: str) -> list[str]:
        """The transcripts of one model about a benchmark, or about a part of a build."""
        count = self._known(self.resolved.nodes, wildcards.benchmark, "benchmark").shards
        home = f"results/ask/{wildcards.benchmark}/{model}"
        return [f"{home}/{number}-of-{count}.parquet" for number in range(1, count + 1)]

    def instances_of_table(self, wildcards: Wildcards) -> list[str]:
        table = self.resolved.table(wildcards.paper, wildcards.table)
        return [f"results/instances/{benchmark}.parquet" for benchmark in benchmarks(table)]

    def labels_of_table(self, wildcards: Wildcards) -> list[str]:
        table = self.resolved.table(wildcards.paper, wildcards.table)
        return [f"results/labels/{benchmark}.parquet" for benchmark in benchmarks(table)]

    def verdicts_of_table(self, wildcards: Wildcards) -> list[str]:
        return self.as_used(self.protocols_of_table(wildcards))

    def protocols_of_table(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """What a table uses of the verdicts of each judge: the other protocols may come and go."""
        used: dict[str, list[str]] = {}
        for benchmark, model, protocol in needs(self.resolved.table(wildcards.paper, wildcards.table)):
            used.setdefault(f"results/verdicts/{benchmark}/{model}.parquet", []).append(protocol)
        return used

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

    def declaration_of_table(self, wildcards: Wildcards) -> list[str]:
        """The file of a table that measures nothing yet: without any input, Snakemake never makes a file again."""
        waits = not benchmarks(self.resolved.table(wildcards.paper, wildcards.table))
        return [f"config/table/{wildcards.paper}/{wildcards.table}.yaml"] if waits else []

    def tables(self, paper: str = "") -> list[str]:
        """The files of the experiment's tables, or of all tables of one paper."""
        chosen = self.resolved.tables
        if paper:
            chosen = [(paper, name) for name in self.config.table.get(paper, {})]
        files = [f"results/tables/{home}/{name}.{kind}" for home, name in chosen for kind in FORMATS]
        figures = [figure for home, name in chosen for figure in self.figures_of(home, name)]
        identities = [
            f"results/tables/{home}/{identity.IDENTITIES}.{kind}"
            for home in dict.fromkeys(home for home, _ in chosen)
            if identity.has_identities(home)
            for kind in FORMATS
        ]
        return files + figures + identities

    def declarations_of_paper(self, wildcards: Wildcards) -> list[str]:
        """The declarations of the tables whose printed numbers a paper's identities may read."""
        self._known(self.config.table, wildcards.paper, "paper")
        if not identity.has_identities(wildcards.paper):
            raise PlumblineError(
                f"nobody has written identities of {wildcards.paper!r}",
                do=f"write scripts/plumbline/measuring/identities/{wildcards.paper}.py",
            )
        printed = self.resolved.get(f"printed.{wildcards.paper}")
        return [f"config/table/{wildcards.paper}/{name}.yaml" for name in printed]

    def identities_code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that checks identities, with those of this paper."""
        return code_of("identities", [identity.module_of(wildcards.paper)])

    def figures_of(self, paper: str, table: str) -> list[str]:
        """The pictures that are drawn of a table."""
        home = f"results/figures/{paper}/{table}"
        return [f"{home}/{kind}.{form}" for kind in self.resolved.table(paper, table).figures for form in DRAWN]

    def verdicts_of_figure(self, wildcards: Wildcards) -> list[str]:
        """What a figure that compares judges instance by instance needs besides the cells."""
        if wildcards.kind != "critical":
            return []
        return [
            *self.instances_of_table(wildcards),
            *self.labels_of_table(wildcards),
            *self.verdicts_of_table(wildcards),
        ]

    def protocols_of_figure(self, wildcards: Wildcards) -> dict[str, list[str]]:
        """What such a figure uses of each judge's verdicts."""
        return self.protocols_of_table(wildcards) if wildcards.kind == "critical" else {}

    @cached_property
    def composed(self) -> list[str]:
        """Judges that are made of judges: nobody is asked for them."""
        engines = self.config.engine
        return [
            name for name, model in self.config.model.items() if isinstance(engines[model.engine], ComposedSettings)
        ]

    def _model(self, wildcards: Wildcards) -> Any:
        return self._known(self.config.model, wildcards.model, "model")

    @staticmethod
    def _known(group: Mapping[str, Any], name: str, word: str) -> Any:
        if name not in group:
            raise PlumblineError(f"unknown {word} {name!r}", do=nearest(name, group))
        return group[name]
