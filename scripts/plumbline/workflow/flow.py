"""What the Snakefile asks: settings, code digests and file names, so that rules stay sentences."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from plumbline.audit.freshness import settle
from plumbline.audit.inventory import Inventory
from plumbline.config.parts import Cost, Speed, of_parts
from plumbline.judging.settings import PARSING, program_modules, rests_on_reading
from plumbline.judging.wording import template_paths
from plumbline.measuring import identity
from plumbline.measuring.plans import benchmarks, needs
from plumbline.models.engines.budget import LEDGERS
from plumbline.models.kinds import module_of, named
from plumbline.records.closure import SCRIPTS, Code, code_of, keep_imports, recall_imports
from plumbline.records.digests import Digests
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.files import check_writable, sweep, write_json
from plumbline.records.locks import STATE, refuse_while_at_work, take_turn
from plumbline.records.manifest import CONFIG, RESULTS, Setting, sealed
from plumbline.workflow import by_system, waiting
from plumbline.workflow.builds import build_of, finished
from plumbline.workflow.cluster import refuse_while_jobs_run
from plumbline.workflow.resolved import DEFAULT_EXPERIMENT, SETTINGS, Resolved, compose
from plumbline.workflow.slurm_plugin import trust_squeue
from plumbline.workflow.waiting import WaitingSet
from plumbline.workflow.weights_at_hand import check_weights

IMPORTS = "imports.json"
FORMATS = ("csv", "md", "tex", "html")
DRAWN = ("svg", "pdf")
Wildcards = Any
ForWildcards = Callable[[Wildcards], Any]


def open_flow(folder: Path, settings: Mapping[str, Any], is_main_process: bool) -> Flow:
    """The configuration of this run; the main process also takes the folder and settles what still stands."""
    os.environ["PYTHONPATH"] = str(SCRIPTS)  # the processes of jobs import the library of this checkout too
    try:
        flow = Flow(folder, settings)
        if is_main_process:
            flow.start()
            for line in flow.waiting:
                print(line, file=sys.stderr)
        return flow
    except PlumblineError as error:
        sys.exit(f"plumbline: {error}")  # an exception would reach the user with Snakemake's traceback


class Flow:
    """One run's configuration, bound to the names rules use."""

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        for word in settings:
            if word not in SETTINGS:
                raise PlumblineError(f"unknown setting {word!r}", where="--config", do=nearest(word, SETTINGS))
        self.folder = folder
        self.experiment = str(settings.get("experiment") or DEFAULT_EXPERIMENT)
        self.mirror = str(settings.get("mirror") or "")
        overrides = str(settings.get("hydra") or "")
        self.resolved: Resolved = compose(folder, self.experiment, self.mirror, overrides, STATE / "config.json")
        self.config = self.resolved.config
        recall_imports(STATE / IMPORTS)
        self.turn: IO[str] | None = None
        self.inventory = Inventory({}, finished=False)
        self._digests: dict[str, str | None] = {}

    # what jobs depend on

    def setting(self, key: str) -> ForWildcards:
        """The setting at a dotted key in which wildcards may stand, e.g. `judge.{model}`."""

        def find(wildcards: Wildcards) -> Setting:
            filled = key.format(**dict(wildcards.items()))
            return Setting(filled, self.resolved.get(filled))

        return find

    def code_of(self, script: str) -> Code:
        """The digest of a script and all project modules it imports."""
        return code_of(script)

    def judge_code(self, wildcards: Wildcards) -> Code:
        """The judge script's closure with the engine of this model and the programs that it is asked with.

        Parsing belongs to it only where what is asked depends on what was read, as in Swap. Elsewhere a changed parser
        asks for no GPU: the verdicts rule reads the transcripts anew.
        """
        engine = module_of(self.config.engine[self._model(wildcards).engine].kind)
        modules = [engine, *self._programs(wildcards)]
        return code_of("judge", modules, without=() if self._rests_on_reading(wildcards) else PARSING)

    def verdicts_code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that replays a model's transcripts, with the programs that it was asked with."""
        return code_of("verdicts", self._programs(wildcards))

    def _programs(self, wildcards: Wildcards) -> list[str]:
        return program_modules(self.config, self.resolved.get(f"asked.{wildcards.benchmark}.{wildcards.model}"))

    def parsing(self, wildcards: Wildcards) -> Any:
        """How answers are read: a setting where what is asked depends on it, else something that changes nothing."""
        key = f"parsing.{wildcards.benchmark}.{wildcards.model}"
        value = self.resolved.get(key)
        return Setting(key, value) if self._rests_on_reading(wildcards) else value

    def _rests_on_reading(self, wildcards: Wildcards) -> bool:
        asked = self.resolved.get(f"asked.{wildcards.benchmark}.{wildcards.model}")
        return rests_on_reading(self.config, asked)

    def tuning(self, wildcards: Wildcards) -> dict[str, Any]:
        """What makes a judge job fast or slow, cheap or dear, but not its answers."""
        model = self._model(wildcards)
        engine = self.config.engine[model.engine]
        return {
            "engine": of_parts(engine, Speed, Cost),
            "model": of_parts(model, Cost),
        }

    @cached_property
    def asking_nobody(self) -> list[str]:
        """Models that are rules or records: judging with them takes seconds, wherever it is done."""
        engines = self.config.engine
        return [name for name, model in self.config.model.items() if not named(engines[model.engine].kind).asks]

    @cached_property
    def by_system(self) -> list[str]:
        """Judges that put together what each system's own model says: they have no judge job."""
        return by_system.joining(self.config)

    def verdicts_of_systems(self, wildcards: Wildcards) -> list[str]:
        """The verdicts that such a judge puts together."""
        models = by_system.models_of(self.config, wildcards.model)
        return [f"results/verdicts/{wildcards.benchmark}/{model}.parquet" for model in models]

    def judge_environment(self, wildcards: Wildcards) -> str:
        """The pinned environment that holds a model's engine."""
        return f"../envs/{named(self.config.engine[self._model(wildcards).engine].kind).environment}.yaml"

    def resource(self, name: str) -> ForWildcards:
        """What the model's file says its jobs need; unset where it says nothing."""
        return lambda wildcards: self.resource_of(wildcards.model, name)

    def resource_of(self, model: str, name: str) -> Any:
        return getattr(self._known(self.config.model, model, "model").resources, name) or None

    def growing(self, name: str) -> Callable[[Wildcards, int], int]:
        """The same, and as much again with each retry: a job that ran out of it gets more."""

        def grown(wildcards: Wildcards, attempt: int) -> int:
            return int(getattr(self._model(wildcards).resources, name)) * attempt

        return grown

    def _model(self, wildcards: Wildcards) -> Any:
        return self._known(self.config.model, wildcards.model, "model")

    # file names

    def register_of(self, wildcards: Wildcards) -> list[str]:
        """A source's entry in the register, its pins, and the file itself where it is one of yours."""
        source = self._known(self.config.source, wildcards.source, "source")
        pins = [f"config/source/{source.pins}"] if source.pins else []
        return [f"config/source/{wildcards.source}.yaml", *pins, *([source.path] if source.path else [])]

    def source_of(self, wildcards: Wildcards) -> list[str]:
        """What a benchmark's instances are read from: its source, or the sets built for it."""
        benchmark = self._known(self.config.benchmark, wildcards.benchmark, "benchmark")
        waiting.refuse_waiting(wildcards.benchmark, self.config, self.resolved.left_out)
        if benchmark.loader == "construct":
            build = build_of(self.config, wildcards.benchmark)
            return [finished(build, self.config, made) for made in benchmark.subsets.values()]
        return [f"results/source/{benchmark.source}.zip"]

    def labels_source_of(self, wildcards: Wildcards) -> list[str]:
        """Where the labels of a benchmark with several raters are read from."""
        labels = self._known(self.config.benchmark, wildcards.benchmark, "benchmark").labels
        return [f"results/source/{labels}.zip"] if labels else []

    def joined_sources_of(self, wildcards: Wildcards) -> list[str]:
        """Where the joined texts of a benchmark are read from, text by text."""
        joined = self._known(self.config.benchmark, wildcards.benchmark, "benchmark").joined
        return [f"results/source/{text.source}.zip" for text in joined.values()]

    def second_pass_of(self, wildcards: Wildcards) -> list[str]:
        """The files of what reviewers chose blind."""
        return list(self._known(self.config.benchmark, wildcards.benchmark, "benchmark").second_pass)

    def choices_of(self, wildcards: Wildcards) -> list[str]:
        """The same, as they are kept with the results."""
        return [f"results/choices/{wildcards.benchmark}.zip"] if self.second_pass_of(wildcards) else []

    def instances_code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that reads instances, with the one loader that this benchmark needs."""
        loader = self._known(self.config.benchmark, wildcards.benchmark, "benchmark").loader
        loaders = [] if loader == "construct" else [f"plumbline.data.loaders.{loader}"]
        return code_of("instances", loaders)

    def recorded_of(self, wildcards: Wildcards) -> list[str]:
        source = self._model(wildcards).source
        return [f"results/source/{source}.zip"] if source else []

    def prompts_of(self, wildcards: Wildcards) -> list[str]:
        """The wordings that a model is asked in about a benchmark."""
        self._model(wildcards)
        worded = self.resolved.get(f"worded.{wildcards.benchmark}.{wildcards.model}")
        return [self.wording(name) for name in worded]

    def wording(self, prompts: str) -> str:
        """The file that keeps a prompt set's templates with the results."""
        self._known(self.config.prompts, prompts, "prompt set")
        return f"results/prompts/{prompts}.zip"

    def templates_of(self, wildcards: Wildcards) -> list[str]:
        """What a prompt set's templates are read from: its source, or the configuration."""
        prompts = self._known(self.config.prompts, wildcards.prompts, "prompt set")
        return [f"results/source/{prompts.source}.zip"] if prompts.source else template_paths(prompts)

    def transcripts_of(self, wildcards: Wildcards) -> list[str]:
        return [] if wildcards.model in self.by_system else self.shards("judge", wildcards)

    def shards(self, stage: str, wildcards: Wildcards) -> list[str]:
        """The transcripts of one model about a benchmark, or about a part of a build."""
        name, _, part = wildcards.benchmark.partition("/")
        group = self.config.benchmark
        count = group[name].shards if name in group else 1
        if not part:
            self._known(group, name, "benchmark")
        home = f"results/{stage}/{wildcards.benchmark}/{wildcards.model}"
        return [f"{home}/{number}-of-{count}.parquet" for number in range(1, count + 1)]

    def instances_of_table(self, wildcards: Wildcards) -> list[str]:
        table = self.resolved.table(wildcards.paper, wildcards.table)
        return [f"results/instances/{benchmark}.parquet" for benchmark in benchmarks(table)]

    def labels_of_table(self, wildcards: Wildcards) -> list[str]:
        table = self.resolved.table(wildcards.paper, wildcards.table)
        return [f"results/labels/{benchmark}.parquet" for benchmark in benchmarks(table)]

    def verdicts_of_table(self, wildcards: Wildcards) -> list[str]:
        table = self.resolved.table(wildcards.paper, wildcards.table)
        judges = dict.fromkeys((benchmark, model) for benchmark, model, _ in needs(table))
        return [f"results/verdicts/{benchmark}/{model}.parquet" for benchmark, model in judges]

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

    @staticmethod
    def _known(group: Mapping[str, Any], name: str, word: str) -> Any:
        if name not in group:
            raise PlumblineError(f"unknown {word} {name!r}", do=nearest(name, group))
        return group[name]

    # before the DAG is built

    @cached_property
    def waiting(self) -> list[str]:
        """What is left out of the run, as the user is told."""
        return waiting.lines(self.waiting_sets)

    @cached_property
    def waiting_sets(self) -> list[WaitingSet]:
        """The sets of the experiment that are left out of the run."""
        tables = (self.resolved.table(paper, name) for paper, name in self.resolved.tables)
        return waiting.of_experiment(self.config, tables, self.resolved.left_out)

    def start(self) -> None:
        """Take the folder for this run, and let Snakemake see what still stands."""
        self.turn = take_turn(STATE)
        refuse_while_jobs_run(Path.cwd())
        refuse_while_at_work(STATE)
        sweep(RESULTS)
        shutil.rmtree(LEDGERS, ignore_errors=True)
        for folder in [RESULTS, *RESULTS.glob("**/")]:
            check_writable(folder)
        keep_imports(STATE / IMPORTS)
        digests = Digests.load(STATE / "digests.json")
        settle(RESULTS, digests, self.setting_digest)
        self.write_records()

    def write_records(self) -> None:
        """The configuration beside the results, and the list of what is there already."""
        write_json(RESULTS / CONFIG, sealed(asdict(self.config)))
        self.inventory = Inventory.taken_up(RESULTS)
        self.inventory.write(RESULTS)

    def begin(self, workflow: Any) -> None:
        """The first job is about to start: from now on there may be files that the inventory does not list yet.

        `workflow` is Snakemake's.
        """
        try:
            check_weights(self.config, [job for job in workflow.dag.jobs if workflow.dag.needrun(job)])
            trust_squeue(workflow.executor_plugin.name)
        except PlumblineError as error:
            sys.exit(f"plumbline: {error}")
        replace(self.inventory, finished=False).write(RESULTS)

    def end(self, workflow: Any, whole: bool) -> None:
        """List what the run built, also where it failed; `workflow` is Snakemake's."""
        done = [job for job in workflow.dag.jobs if workflow.dag.needrun(job) and workflow.dag.finished(job)]
        built = [Path(str(output)) for job in done for output in job.output]
        self.inventory.with_built(built, whole).write(RESULTS)

    def setting_digest(self, key: str) -> str | None:
        """Digest of a setting as it is now; None where this experiment has no such setting."""
        if key not in self._digests:
            try:
                self._digests[key] = Setting(key, self.resolved.get(key)).sha256
            except PlumblineError:
                self._digests[key] = None
        return self._digests[key]
