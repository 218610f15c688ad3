"""TICK outside of the workflow: anyone's instructions and responses, asked about through the same completion store."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from plumbline.asking.answer_text.checklist import questions_of
from plumbline.asking.parser import read_text
from plumbline.asking.runs import Ran, ask_all
from plumbline.asking.settings import in_wording, options_of, parsing_of, worded
from plumbline.asking.setup import AskSetup
from plumbline.config.parts import with_parts
from plumbline.config.typed import known
from plumbline.data.instances import CHECKLIST, Instance, Output, identified
from plumbline.models import kinds
from plumbline.models.asking import Engine
from plumbline.models.context import EngineContext
from plumbline.models.session import AskResult, ask_through, open_engine
from plumbline.models.store import Store
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.tally import Tally
from plumbline.sources.archive import SourceFiles, pack
from plumbline.sources.reading import mapping, rows_in, text_in
from plumbline.workflow.flow import Flow
from plumbline.workflow.preview.cost import Bill, bill
from plumbline.workflow.preview.preview import count_asks
from plumbline.workflow.preview.sources import SourcesNow

WORDING = "tick"
THREADS = os.cpu_count() or 1
OWN, GIVEN = "tick", "tick_given"
"""The protocols with a checklist that the model writes, and with one that comes with the instruction."""


@dataclass(frozen=True)
class Ticking:
    """A model under one protocol, ready to be asked."""

    flow: Flow
    model: str
    protocol: str
    setup: AskSetup

    @classmethod
    def of(cls, flow: Flow, model: str, protocol: str) -> Ticking:
        config = flow.config
        known(model, config.model, "--model")
        if not kinds.named(config.engine[config.model[model].engine].kind).asks:
            raise PlumblineError(f"{model!r} cannot be asked: it is a rule, or a record", where="--model")
        name = in_wording(protocol, WORDING, config)
        asked = {
            "judge": flow.get(f"judge.{model}"),
            "asked": {name: options_of(config, name)},
            "worded": worded(config, [name]),
        }
        with tempfile.TemporaryDirectory() as folder:
            sources = SourcesNow(flow, Path(folder))
            prompts = [sources.wording(wording) for wording in asked["worded"]]
            setup = AskSetup.of(asked, parsing_of(config, model, [name]), prompts)
        return cls(flow, model, name, setup)

    @property
    def store(self) -> Path:
        return Path(self.flow.config.store)

    def preview(self, instances: Sequence[Instance]) -> Bill:
        """What it would ask, with eight questions for a checklist that is not written yet."""
        counter = count_asks(self.setup, instances, self.store, Store(self.store / "completions"))
        need = ("", self.model, self.protocol)
        asks = {need: counter.asks.get(self.protocol, {})}
        return bill(f"model {self.model}", asks, asks, self.flow.config.model, paid=False)

    def ask(self, instances: Sequence[Instance], tally_file: Path) -> tuple[list[Ran], AskResult]:
        """Ask, or take it from the store, with progress."""
        runtime: Mapping[str, Any] = self.flow.ask.runtime_settings(SimpleNamespace(model=self.model))
        settings = with_parts(self.setup.engine, runtime["engine"])
        model = with_parts(self.setup.judge.model, runtime["model"])
        engine = open_engine(model, settings, EngineContext((), instances, THREADS, self.store / "models"))
        tally, runs = Tally(self.protocol, len(instances)), list[Ran]()

        def through(answering: Engine) -> None:
            programs, judge = self.setup.programs, self.setup.judge
            asyncio.run(ask_all(instances, programs, judge, answering, settings.window, runs.extend, tally.finish))

        done = ask_through(engine, self.store, through, tally, tally_file)
        return runs, done

    def checklist(self, judged: Ran) -> tuple[str, ...]:
        """The questions that were written for an instance."""
        wording = self.setup.judge.wording(judged.options)
        parser = wording.declared.parsers.get(wording.template(CHECKLIST, "", rules=False).parser)
        written = [asked.completion for asked in judged.asked if asked.place.step == CHECKLIST]
        return questions_of(read_text(written[0], parser).splitlines()) if written else ()


def read_responses(instructions: Path, responses: Path) -> list[Instance]:
    """An instance for each instruction that has a response, with all of its responses, in order.

    Instructions have the columns `instruction`, perhaps `id` (else the number of the row, from 1), and perhaps
    `checklist`; responses have `instance`, `response` and perhaps `system`.
    """
    outputs: dict[str, list[Output]] = {}
    places: dict[str, str] = {}
    for row, where in rows(responses):
        name = key_of(row.get("instance"), where)
        places.setdefault(name, where)
        outputs.setdefault(name, []).append(Output(str(row.get("system") or ""), text_in(row, "response", where)))
    instances: list[Instance] = []
    names: set[str] = set()
    for number, (row, where) in enumerate(rows(instructions), start=1):
        name = key_of(row.get("id", number), where)
        if name in names:
            raise PlumblineError(f"two instructions are called {name!r}", where=where)
        names.add(name)
        context = {CHECKLIST: checklist_in(row, where)} if row.get(CHECKLIST) else {}
        instruction = text_in(row, "instruction", where)
        if name in outputs:
            instances.append(Instance("", "", instruction, tuple(outputs[name]), context, where, name))
    for name, where in places.items():
        if name not in names:
            raise PlumblineError(
                f"a response is to {name!r}, which is no instruction", where=where, do=nearest(name, names)
            )
    if not instances:
        raise PlumblineError("there is no response", where=str(responses))
    with_checklist = sum(CHECKLIST in instance.context for instance in instances)
    if with_checklist not in (0, len(instances)):
        raise PlumblineError(
            f"{with_checklist} of {len(instances)} instructions have a checklist",
            where=str(instructions),
            do="give all of them one, or none: then the model writes them",
        )
    return list(identified(instances))


def rows(path: Path) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The rows of a JSONL, JSON, CSV or Parquet file, each with where it stands."""
    if not path.is_file():
        raise PlumblineError("there is no such file", where=str(path))
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder) / "rows.zip"
        pack(packed, {path.name: path})
        for file, position, row in rows_in(SourceFiles(packed)):
            where = f"{file}, row {position + 1}"
            yield mapping(row, where), where


def key_of(value: object, where: str) -> str:
    if value in (None, ""):
        raise PlumblineError(
            "a row names no instruction", where=where, expected="`instance`: the id, or its row's number"
        )
    return str(value)


def checklist_in(row: Mapping[str, Any], where: str) -> tuple[str, ...]:
    value = row[CHECKLIST]
    lines = value.splitlines() if isinstance(value, str) else value
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise PlumblineError("a checklist is no list of questions", where=where, found=repr(value)[:120])
    return tuple(line.strip() for line in lines if line.strip())
