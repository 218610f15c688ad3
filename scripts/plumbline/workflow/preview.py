"""What a run would ask, before it asks: the protocols run against answers that are made up where none is stored.

A token is taken for four characters, and every answer for as long as it may get, so the tokens and the money of a
preview are more than the run will take: by a little for prompts in English, by much where answers stay short.
Prompts in other scripts can take more. A protocol that asks again where two answers contradict each other is
foreseen as if they always did.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.data.archive import SourceFiles
from plumbline.data.instances import InstanceFile
from plumbline.judging.judge import judge_all
from plumbline.judging.setup import JudgeSetup
from plumbline.judging.wording import CONFIGURED, pack_wording
from plumbline.models.asking import Completion, Place, Request, completion_key
from plumbline.models.engines.wire import CHARACTERS, estimate
from plumbline.models.session import EngineContext, Instances, open_engine
from plumbline.models.store import Store
from plumbline.records.errors import PlumblineError
from plumbline.records.manifest import RESULTS
from plumbline.workflow.cost import Ask, Asks, Need, asked_needs
from plumbline.workflow.flow import Flow
from plumbline.writing.asking import write_all
from plumbline.writing.setup import WritingSetup
from plumbline.writing.step import StepName

MADE_UP = "Output (a) is better. YES\nChecklist:\n" + "".join(f"{n}. Is it word {n}?\n" for n in range(1, 9))
"""Begins every made-up answer: said of both orders it contradicts itself, a question is answered yes, and a checklist
has as many questions as models are asked for."""


class Foreseeing:
    """Notes what it is asked, and answers from the store or with something as long as an answer may get."""

    stored = False

    def __init__(self, identity: Mapping[str, Any], store: Store) -> None:
        self.identity, self.store = identity, store
        self.asks: dict[str, dict[str, Ask]] = {}

    async def answer(self, request: Request, place: Place) -> Completion:
        known = self.store.get(completion_key(self.identity, request))
        self.asks.setdefault(place.protocol, {})[request.key] = Ask(estimate(request), stored=known is not None)
        return known or made_up(request)

    async def close(self) -> None:
        return None


def made_up(request: Request) -> Completion:
    if request.scored is not None:
        return Completion("", completion_tokens=1, logprobs=(-1.0,))
    if request.choices:
        return Completion(request.choices[0], logprobs=(-1.0,) * len(request.choices))
    return Completion((MADE_UP + "word " * request.max_tokens)[: request.max_tokens * CHARACTERS])


def preview(flow: Flow) -> Asks:
    """The asks that the experiment's tables stand on; their instances must have been read already."""
    store = Path(flow.config.store)
    completions = Store(store / "completions")
    asks: dict[Need, dict[str, Ask]] = {}
    for stage, benchmark, model in asked_needs(flow):
        if "/" in benchmark and not instances_of(benchmark).exists():
            print(f"not counted: what {model} is asked about {benchmark}, which is not built yet", file=sys.stderr)
            continue
        ask = foresee if stage == "judge" else foresee_texts
        for name, found in ask(flow, benchmark, model, store, completions).items():
            asks[(benchmark, model, name)] = found
    return asks


def instances_of(benchmark: str) -> Path:
    return RESULTS / "instances" / f"{benchmark}.parquet"


def templates_now(flow: Flow, name: str, folder: Path) -> Path:
    """A prompt set as a run would keep it now; those of a source must have been fetched."""
    wording = flow.resolved.get(f"wording.{name}")
    source = SourceFiles(Path(flow.templates_of(SimpleNamespace(prompts=name))[0])) if wording["source"] else None
    pack_wording(wording["folder"], wording["files"], source, Path(CONFIGURED), folder / f"{name}.zip")
    return folder / f"{name}.zip"


def foresee(flow: Flow, benchmark: str, model: str, store: Path, completions: Store) -> dict[str, dict[str, Ask]]:
    """The asks of one model about one benchmark, by protocol."""
    find = flow.resolved.get
    protocols = find(f"asked.{benchmark}.{model}")
    with tempfile.TemporaryDirectory() as folder:
        worded, parsing = find(f"worded.{benchmark}.{model}"), find(f"parsing.{benchmark}.{model}")
        prompts = [templates_now(flow, wording, Path(folder)) for wording in worded]
        settings = {"judge": find(f"judge.{model}"), "protocols": protocols, "worded": worded}
        setup = JudgeSetup.of(settings, parsing, prompts)
    instances = InstanceFile.whole(instances_of(benchmark))
    foreseeing = foreseeing_of(setup.judge.model, setup.engine, instances, store, completions)
    window = setup.engine.window
    asyncio.run(judge_all(instances, setup.protocols, setup.judge, foreseeing, window, lambda results: None))
    return foreseeing.asks


def foresee_texts(flow: Flow, benchmark: str, model: str, store: Path, completions: Store) -> dict[str, dict[str, Ask]]:
    """The asks of one model for what it is to write about one benchmark, by step."""
    steps = flow.resolved.writing[benchmark][model]
    with tempfile.TemporaryDirectory() as folder:
        wordings = {StepName.parse(step).wording for step in steps}
        prompts = [templates_now(flow, wording, Path(folder)) for wording in sorted(wordings)]
        setup = WritingSetup.of(flow.resolved.get(f"judge.{model}"), steps, prompts)
    instances = InstanceFile.whole(instances_of(benchmark))
    foreseeing = foreseeing_of(setup.model, setup.engine, instances, store, completions)
    asyncio.run(write_all(instances, setup.steps, foreseeing, setup.engine.window, lambda runs: None))
    return foreseeing.asks


def foreseeing_of(
    model: Model, engine: EngineSettings, instances: Instances, store: Path, completions: Store
) -> Foreseeing:
    try:
        identity = open_engine(model, engine, EngineContext((), instances, 1, store / "models")).identity
    except PlumblineError:  # e.g. weights that are not here: then no answer of theirs is either
        identity = {}
    return Foreseeing(identity, completions)
