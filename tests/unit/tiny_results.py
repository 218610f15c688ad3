"""A results folder built in this process: the project's own scripts, run on the tiny experiment without Snakemake."""

from __future__ import annotations

import contextlib
import runpy
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from plumbline.workflow.flow import Flow
from plumbline.workflow.tables import FORMATS
from rebuilt import CONFIG
from tiny import TINY

SCRIPTS = CONFIG.parent / "scripts"
REPLAYED = ("asked", "worded", "parsing")


@dataclass(frozen=True)
class Checkout:
    """A folder with results, and the configuration they were made with."""

    folder: Path
    flow: Flow


class Named(list):  # type: ignore[type-arg]
    """A list with names for its parts, as Snakemake gives inputs and parameters to a script."""

    def __init__(self, **parts: Any) -> None:
        super().__init__(item for part in parts.values() for item in (part if isinstance(part, list) else [part]))
        self.parts = parts

    def items(self) -> Any:
        return self.parts.items()


class Words(SimpleNamespace):
    """Wildcards: by attribute for the rules, by item for the scripts."""

    def items(self) -> Any:
        return vars(self).items()


def set_up(folder: Path) -> None:
    """A checkout with a tiny experiment, whose code is this repository's."""
    shutil.copytree(CONFIG, folder / "config")
    for name, text in TINY.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "scripts").symlink_to(SCRIPTS)


def run_script(
    rule: str, wildcards: Words, inputs: Mapping[str, Any], outputs: Sequence[str], params: Mapping[str, Any]
) -> None:
    """What Snakemake does for one job, in the current folder."""
    snakemake = SimpleNamespace(
        rule=rule,
        wildcards=wildcards,
        input=Named(**inputs),
        output=list(outputs),
        log=[str(Path(outputs[0]).with_suffix(".log"))],
        params=Named(**params),
        threads=1,
    )
    script = "replay" if rule == "judge_unasked" else rule
    runpy.run_path(str(SCRIPTS / f"{script}.py"), {"snakemake": snakemake}, run_name="__main__")


def jobs(flow: Flow) -> Iterator[tuple[str, Words, dict[str, Any], list[str], dict[str, Any]]]:
    """The jobs of the tiny experiment in order, as the rules declare them."""

    def settings(wildcards: Words, **keys: str) -> dict[str, Any]:
        return {name: flow.setting(key)(wildcards) for name, key in keys.items()}

    at = Words(source="tiny")
    params = settings(at, source="source.{source}") | {"mirror": "", "code": flow.code_of("source")}
    yield "source", at, {"register": flow.source.register(at)}, ["results/source/tiny.zip"], params

    at = Words(benchmark="tiny")
    params = settings(at, benchmark="made.{benchmark}") | {"code": flow.read.code(at)}
    inputs = {
        "source": flow.read.source(at),
        "labels_source": flow.read.labels_source(at),
        "joined": flow.read.joined(at),
        "people": flow.people.collected(at),
    }
    yield "read", at, inputs, [f"results/{kind}/tiny.parquet" for kind in ("instances", "labels", "ledger")], params

    at = Words(prompts="plumbline")
    params = settings(at, wording="wording.{prompts}") | {"code": flow.code_of("wording")}
    yield "wording", at, {"templates": flow.wording.templates(at)}, ["results/wording/plumbline.zip"], params

    instances = {"instances": "results/instances/tiny.parquet"}
    asked = {"judge": "judge.{model}", "asked": "asked.{benchmark}.{model}", "worded": "worded.{benchmark}.{model}"}
    at = Words(benchmark="tiny", model="tiny", shard="1-of-1")
    params = settings(at, **asked)
    params |= {
        "parsing": flow.ask.parsing(at),
        "runtime_settings": flow.ask.runtime_settings(at),
        "store": flow.config.store,
    }
    inputs = instances | {"wordings": flow.ask.wordings(at), "recorded": flow.ask.recorded(at)}
    yield "ask", at, inputs, ["results/ask/tiny/tiny/1-of-1.parquet"], params | {"code": flow.ask.code(at)}

    for model, rule in {"tiny": "replay", "length": "judge_unasked"}.items():
        at = Words(stated="verdicts", benchmark="tiny", model=model)
        replayed = {name: f"replayed.{{stated}}.{{benchmark}}.{{model}}.{name}" for name in REPLAYED}
        params = settings(at, judge="judge.{model}", noise="noise.{model}", **replayed)
        answers = {"transcripts": flow.replay.transcripts(at)} if rule == "replay" else {"recorded": []}
        inputs = instances | {"wordings": flow.replay.wordings(at)} | answers
        params |= {"code": flow.replay.code(at)}
        yield rule, at, inputs, [f"results/verdicts/tiny/{model}.parquet"], params

    for table in ("judges", "lengths"):
        at = Words(paper="tiny", table=table)
        params = settings(at, table="measured.{paper}.{table}", built="built.{paper}.{table}", bootstrap="bootstrap")
        inputs = {
            "instances": flow.cells.instances(at),
            "labels": flow.cells.labels(at),
            "verdicts": flow.cells.verdicts(at),
            "declaration": flow.cells.declaration(at),
        }
        yield "cells", at, inputs, [f"results/cells/tiny/{table}.parquet"], params | {"code": flow.code_of("cells")}

        params = settings(at, table="declared.{paper}.{table}", waits="waits.{paper}.{table}") | {
            "code": flow.code_of("tables")
        }
        outputs = [f"results/tables/tiny/{table}.{form}" for form in FORMATS]
        yield "tables", at, {"cells": f"results/cells/tiny/{table}.parquet"}, outputs, params


def build(folder: Path) -> Flow:
    """Build everything; jobs whose outputs stand are kept, as in a real run."""
    with contextlib.chdir(folder):
        flow = Flow(folder / "config", {"experiment": "tiny"})
        for job in jobs(flow):
            run_script(*job)
        flow.write_records()
    return flow
