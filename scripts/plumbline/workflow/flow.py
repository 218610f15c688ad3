"""What the Snakefile asks: settings, code digests and file names, so that rules stay sentences."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from plumbline.asking import parser
from plumbline.asking.protocols import is_step
from plumbline.asking.settings import PARSING, kinds_of_parsers, program_modules, rests_on_reading
from plumbline.audit.asking_rules import ASKING
from plumbline.audit.doubts import Doubts
from plumbline.audit.extended import Extensions, came_out_otherwise
from plumbline.audit.freshness import Present, settle
from plumbline.audit.inventory import Inventory
from plumbline.audit.reasons import shortened
from plumbline.config.parts import Cost, Speed, of_parts
from plumbline.config.plain import as_plain
from plumbline.measuring.picked_options import modules_of
from plumbline.models.engines.budget import LEDGERS
from plumbline.models.kinds import module_of, named
from plumbline.records import frame
from plumbline.records.closure import Code, code_of, keep_imports, recall_imports
from plumbline.records.digests import Digests
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.files import check_writable, sweep
from plumbline.records.locks import STATE, refuse_while_at_work, take_turn
from plumbline.records.manifest import CONFIG, RESULTS, Setting, keep_sealed, keep_sound, recall_sound
from plumbline.records.plugins import PACKAGE, SCRIPTS, import_folders
from plumbline.workflow import waiting
from plumbline.workflow.cluster import refuse_while_jobs_run
from plumbline.workflow.composing import DEFAULT_EXPERIMENT, SETTINGS, compose
from plumbline.workflow.file_names import FileNames, ForWildcards, Wildcards
from plumbline.workflow.first_phase import WOULD_ASK, first_phase, is_nested
from plumbline.workflow.plan import Plan, PlannedJob
from plumbline.workflow.resolved import Resolved
from plumbline.workflow.slurm_plugin import trust_squeue
from plumbline.workflow.summary import tell_watcher, wait_for_the_terminal
from plumbline.workflow.waiting import WaitingSet
from plumbline.workflow.weights_at_hand import check_weights

IMPORTS = "imports.json"
SOUND_RECORDS = "sound.json"


def open_flow(folder: Path, settings: Mapping[str, Any], is_main_process: bool) -> Flow:
    """The configuration of this run; the main process also takes the folder and settles what still stands."""
    os.environ["PYTHONPATH"] = str(SCRIPTS)  # the processes of jobs import the library of this checkout too
    try:
        flow = Flow(folder, settings)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(SCRIPTS), *import_folders(flow.config.experiment.plugins)])
        if is_main_process:
            flow.start()
            for line in flow.waiting if not is_nested() else ():
                print(line, file=sys.stderr)
        return flow
    except PlumblineError as error:
        sys.exit(f"plumbline: {error}")  # an exception would reach the user with Snakemake's traceback


def warn_of_undeclared_edits() -> None:
    """An edit of the frame makes nothing again by itself: whoever made it should know, and declare what it means."""
    if changed := frame.declared().undeclared(frame.files()):
        print(f"plumbline: changed in the frame, and not declared yet: {shortened(changed)}", file=sys.stderr)
        print("  Results that are there are kept as they are. `plumbline frame` declares the change.", file=sys.stderr)


class Flow(FileNames):
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
        recall_sound(STATE / SOUND_RECORDS)
        self.turn: IO[str] | None = None
        self.inventory = Inventory({}, finished=False)
        self.doubts = Doubts({}, {})
        self.expected = {}
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

    def ask_code(self, wildcards: Wildcards) -> Code:
        """The ask script's closure with the engine of this model and the programs that it is asked with.

        Parsing belongs to it only where what is asked depends on what was read, as in Swap, or may, as in a step.
        Elsewhere a changed parser asks for no GPU: the replay reads the transcripts anew.
        """
        asked, engine = self._asked(wildcards), self.config.engine[self._model(wildcards).engine].kind
        reading = [name for name in asked if self._rests_on_reading(wildcards) or is_step(name)]
        parsers = kinds_of_parsers(self.config, wildcards.model, reading)
        modules = dict.fromkeys([module_of(engine), *program_modules(asked), *map(parser.module_of, parsers)])
        return code_of("ask", list(modules), without=() if parsers else PARSING)

    def replay_code(self, wildcards: Wildcards) -> Code:
        """The closure of the script that replays a model's transcripts, with the programs that state what is read here,
        the parsers of their answers, and what a file of such a model says."""
        place = f"{wildcards.benchmark}.{wildcards.model}"
        asked = self.resolved.get(f"replayed.{wildcards.stated}.{place}")["asked"]
        parsers = map(parser.module_of, kinds_of_parsers(self.config, wildcards.model, asked))
        own = self.resolved.get(f"plugins.asking.{place}")
        model = type(self._model(wildcards)).__module__
        declared = [model] if model.startswith(f"{PACKAGE}.") else []  # a plugin's class is among its own
        return code_of("replay", list(dict.fromkeys([*program_modules(asked), *parsers, *declared, *own])))

    def measuring_code(self, script: str) -> ForWildcards:
        """A script's closure with the measures of its table, and all plugins that register some of them."""

        def closure(wildcards: Wildcards) -> Code:
            own = self.resolved.get(f"plugins.measuring.{wildcards.paper}.{wildcards.table}")
            modules = modules_of(self.resolved.table(wildcards.paper, wildcards.table))
            return code_of(script, list(dict.fromkeys([*modules, *own])), complete=True)

        return closure

    def _asked(self, wildcards: Wildcards) -> Any:
        return self.resolved.get(f"asked.{wildcards.benchmark}.{wildcards.model}")

    def parsing(self, wildcards: Wildcards) -> Any:
        """How answers are read: a setting where what is asked depends on it, else something that changes nothing."""
        key = f"parsing.{wildcards.benchmark}.{wildcards.model}"
        value = self.resolved.get(key)
        return Setting(key, value) if self._rests_on_reading(wildcards) else value

    def _rests_on_reading(self, wildcards: Wildcards) -> bool:
        """Of protocols; a step's own parsers stand beside its prompts."""
        asked = self._asked(wildcards)
        return rests_on_reading(self.config, {name: entry for name, entry in asked.items() if not is_step(name)})

    def tuning(self, wildcards: Wildcards) -> dict[str, Any]:
        """What makes an ask job fast or slow, cheap or dear, but not its answers."""
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

    def ask_environment(self, wildcards: Wildcards) -> str:
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
        """Take the folder for this run, make first what asks nobody, and let Snakemake see what still stands."""
        if is_nested():
            self.settle()
            self.write_records()
            return
        self.turn = take_turn(STATE)
        refuse_while_jobs_run(Path.cwd())
        refuse_while_at_work(STATE)
        sweep(RESULTS)
        shutil.rmtree(LEDGERS, ignore_errors=True)
        for folder in [RESULTS, *RESULTS.glob("**/")]:
            check_writable(folder)
        keep_imports(STATE / IMPORTS)
        warn_of_undeclared_edits()
        self.write_records()
        if first_phase(self.settle, self.setting_digest):
            self.inventory = Inventory.read(RESULTS)
        tell_watcher(plumbline_standing={"stale": self.doubts.stale, "built": self.inventory.built})

    def settle(self) -> Doubts:
        """Let Snakemake see what still stands, and remember what is in doubt."""
        digests = Digests.load(STATE / "digests.json")
        settled = settle(RESULTS, digests, self.setting_digest, self.resolved.get)
        present = Present(digests, self.setting_digest, self.resolved.get, settled.links)
        self.doubts = Doubts(settled.links, settled.stale, Extensions(present))
        keep_sound(STATE / SOUND_RECORDS)
        return self.doubts

    def write_records(self) -> None:
        """The configuration beside the results, and the list of what is there already."""
        keep_sealed(RESULTS / CONFIG, as_plain(self.config))
        self.inventory = Inventory.taken_up(RESULTS)
        self.inventory.write(RESULTS)

    def begin(self, workflow: Any) -> None:
        """The first job is about to start: from now on there may be files that the inventory does not list yet.

        `workflow` is Snakemake's.
        """
        planned = [job for job in workflow.dag.jobs if workflow.dag.needrun(job)]
        if is_nested() and any(job.rule.name in ASKING for job in planned):
            sys.exit(WOULD_ASK)
        if not is_nested():
            wait_for_the_terminal()
            print("\n".join(self.plan(workflow, planned).lines()), file=sys.stderr)
        try:
            check_weights(self.config, planned)
            trust_squeue(workflow.executor_plugin.name)
        except PlumblineError as error:
            sys.exit(f"plumbline: {error}")
        replace(self.inventory, finished=False).write(RESULTS)

    def plan(self, workflow: Any, planned: Iterable[Any]) -> Plan:
        """The jobs that are to run, with the reasons for it; `workflow` and its jobs are Snakemake's."""
        jobs = [PlannedJob.of_job(job, str(workflow.dag.reason(job))) for job in planned]
        return Plan(jobs, self.doubts.stale, self.inventory.built)

    def end(self, workflow: Any, whole: bool) -> None:
        """List what the run built, also where it failed; `workflow` is Snakemake's."""
        done = [job for job in workflow.dag.jobs if workflow.dag.needrun(job) and workflow.dag.finished(job)]
        built = [Path(str(output)) for job in done for output in job.output]
        self.inventory.with_built(built, whole).write(RESULTS)
        if whole and (otherwise := came_out_otherwise(self.expected)):
            print(f"plumbline: asked anew, and not as before: {', '.join(otherwise)}. Run the same command again: what")
            print("  rests on it is made anew then.")

    def setting_digest(self, key: str) -> str | None:
        """Digest of a setting as it is now; None where this experiment has no such setting."""
        if key not in self._digests:
            try:
                self._digests[key] = Setting(key, self.resolved.get(key)).sha256
            except PlumblineError:
                self._digests[key] = None
        return self._digests[key]
