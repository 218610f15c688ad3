"""What a run would ask, before it asks: the programs run against answers that are made up where none is stored.

All of it is what may be asked at most: see `asking/rehearsal.py`. A token is taken for four characters, and every
answer for as long as it may get, so the tokens and the money of a preview are more than the run will take: by a little
for prompts in English, by much where answers stay short. Prompts in other scripts can take more. What does not fit into
a model's context is counted by its own tokenizer, where that is at hand.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from plumbline.asking.fitting import Fits
from plumbline.asking.protocols import wordings_of
from plumbline.asking.rehearsal import Rehearsal
from plumbline.asking.runs import ask_all
from plumbline.asking.setup import AskSetup
from plumbline.asking.wording import CONFIGURED, pack_wording
from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.data.instances import InstanceFile
from plumbline.models.asking import Counting, Counts, Place, Request, completion_key
from plumbline.models.engines.wire import estimate
from plumbline.models.session import EngineContext, Instances, open_engine
from plumbline.models.store import Store
from plumbline.records.errors import PlumblineError
from plumbline.sources.archive import SourceFiles
from plumbline.workflow.cost import Ask, Asks, Need, asked_needs
from plumbline.workflow.flow import Flow
from plumbline.workflow.foreseen import ForeseenBenchmarks


@dataclass(frozen=True)
class Estimate:
    """Counts tokens by characters, where a model's tokenizer is not at hand."""

    limit: int
    at_hand: bool = True

    def fits(self, request: Request) -> bool:
        return self.tokens(request) <= self.limit

    def tokens(self, request: Request) -> int:
        cost = estimate(request)
        return cost.prompt_tokens + cost.completion_tokens


class Foreseeing:
    """Notes what a model is asked, as far as the store does not hold it, and what of it does not fit."""

    def __init__(self, identity: Mapping[str, Any], store: Store, counter: Counts | None) -> None:
        self.asks: dict[str, dict[str, Ask]] = {}
        self.fits = Fits(counter) if counter else None
        self.engine = Rehearsal(identity, lambda request: store.get(completion_key(identity, request)), self.note)

    def note(self, place: Place, request: Request, stored: bool) -> None:
        asks = self.asks.setdefault(place.protocol, {})
        if request.key not in asks:
            asks[request.key] = Ask(estimate(request), stored)
            if self.fits and not stored:
                self.fits.note(place, request)


@dataclass(frozen=True)
class Foreseen:
    """What a run would ask."""

    asks: Asks
    too_long: list[str]
    """What of it does not fit into a model's context, in words."""


def preview(flow: Flow) -> Foreseen:
    """What the experiment's tables stand on; instances that are not built here must have been read already."""
    store = Path(flow.config.store)
    completions = Store(store / "completions")
    asks: dict[Need, dict[str, Ask]] = {}
    too_long: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        benchmarks = ForeseenBenchmarks(flow, Path(folder))
        for benchmark, model in asked_needs(flow):
            instances = InstanceFile.whole(benchmarks.instances(benchmark))
            foreseen = foresee(flow, benchmark, model, instances, store, completions)
            asks |= {(benchmark, model, name): found for name, found in foreseen.asks.items()}
            sentences = foreseen.fits.sentences if foreseen.fits else []
            too_long += [f"{model} about {benchmark}, {sentence}" for sentence in sentences]
    return Foreseen(asks, too_long)


def templates_now(flow: Flow, name: str, folder: Path) -> Path:
    """A prompt set as a run would keep it now; those of a source must have been fetched."""
    wording = flow.resolved.get(f"wording.{name}")
    source = SourceFiles(Path(flow.templates_of(SimpleNamespace(prompts=name))[0])) if wording["source"] else None
    pack_wording(wording["folder"], wording["files"], source, Path(CONFIGURED), folder / f"{name}.zip")
    return folder / f"{name}.zip"


def foresee(
    flow: Flow, benchmark: str, model: str, instances: InstanceFile, store: Path, completions: Store
) -> Foreseeing:
    """The asks of one model about one benchmark, by protocol and step."""
    find, place = flow.resolved.get, f"{benchmark}.{model}"
    asked = find(f"asked.{place}")
    with tempfile.TemporaryDirectory() as folder:
        wordings = [templates_now(flow, wording, Path(folder)) for wording in wordings_of(asked)]
        settings = {"judge": find(f"judge.{model}"), "asked": asked, "worded": find(f"worded.{place}")}
        setup = AskSetup.of(settings, find(f"parsing.{place}"), wordings)
    foreseeing = foreseeing_of(setup.judge.model, setup.engine, instances, store, completions)
    window = setup.engine.window
    asyncio.run(ask_all(instances, setup.programs, setup.judge, foreseeing.engine, window, lambda runs: None))
    return foreseeing


def foreseeing_of(
    model: Model, engine: EngineSettings, instances: Instances, store: Path, completions: Store
) -> Foreseeing:
    estimated = Estimate(model.context_limit) if model.context_limit else None
    try:
        opened = open_engine(model, engine, EngineContext((), instances, 1, store / "models"))
    except PlumblineError:  # e.g. weights that are not here: then no answer of theirs is either
        return Foreseeing({}, completions, estimated)
    counted = opened.counter if isinstance(opened, Counting) and opened.counter.at_hand else estimated
    return Foreseeing(opened.identity, completions, counted)
