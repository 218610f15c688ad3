"""A judge job: one engine session that asks everything and writes the transcript."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plumbline import schema
from plumbline.answering import Answering
from plumbline.asking import Engine
from plumbline.instances import Pair, PairFile
from plumbline.judge import judge_all
from plumbline.judging import Judging
from plumbline.progress import Progress
from plumbline.store import Store
from plumbline.tally import Tally, tally_path
from plumbline.transcripts import writing_transcripts


@dataclass(frozen=True)
class Done:
    """What a judge job did."""

    asked: int
    reused: int
    identity: dict[str, Any]


@dataclass(frozen=True)
class Surroundings:
    """What an engine may need beside its model: files, the pairs it is asked about, threads, a cache folder."""

    recorded: Sequence[Path]
    pairs: Sequence[Pair] | PairFile
    threads: int
    cache: Path


def judge(
    work: Judging,
    pairs: Sequence[Pair] | PairFile,
    out: Path,
    recorded: Sequence[Path],
    store: Path,
    tuning: Mapping[str, Any],
    threads: int,
) -> Done:
    """Ask everything, or take it from the store, and write the transcript."""
    settings, model = replace(work.engine, **tuning["engine"]), replace(work.judge.model, **tuning["model"])
    around = Surroundings(recorded, pairs, settings.threads or threads, store / "models")
    engine = open_engine(model, settings, around)
    tally = Tally("/".join(out.with_suffix("").parts[-3:]), len(pairs))

    def ask(answering: Engine) -> None:
        with writing_transcripts(out) as keep:
            asyncio.run(judge_all(pairs, work.hows, work.judge, answering, settings.window, keep, tally.finish))

    return ask_through(engine, store, ask, tally, tally_path(out))


def ask_through(engine: Engine, store: Path, ask: Callable[[Engine], None], tally: Tally, file: Path) -> Done:
    """Let `ask` make its calls, through the store unless the engine looks its answers up by place.

    They are counted in `file` as they are made.
    """
    with Progress(tally, file):
        if engine.stored:
            with Store(store / "completions") as completions:
                ask(Answering(engine, completions, tally))
        else:
            ask(engine)
            tally.asked = tally.calls_of_finished
    return Done(tally.asked, tally.reused, dict(engine.identity))


def open_engine(model: schema.Model, settings: schema.Engine, around: Surroundings) -> Engine:
    """The engine of a kind lives in the module of that name, imported only now."""
    module = importlib.import_module(f"plumbline.engines.{settings.kind}")
    engine: Engine = module.open_engine(model, settings, around)
    return engine
