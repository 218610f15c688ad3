"""A judge job: one engine session that asks everything and writes the transcript."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline import schema
from plumbline.answering import Answering
from plumbline.asking import Engine
from plumbline.instances import Pair
from plumbline.judge import judge_all
from plumbline.judging import Judging
from plumbline.store import Store
from plumbline.transcripts import in_order, write_transcripts


@dataclass(frozen=True)
class Done:
    """What a judge job did."""

    calls: int
    asked: int
    reused: int
    identity: dict[str, Any]


@dataclass(frozen=True)
class Surroundings:
    """What an engine may need beside its model: files, the pairs it is asked about, threads, a cache folder."""

    recorded: Sequence[Path]
    pairs: Sequence[Pair]
    threads: int
    cache: Path


def judge(
    work: Judging,
    pairs: Sequence[Pair],
    out: Path,
    recorded: Sequence[Path],
    store: Path,
    tuning: Mapping[str, int],
    threads: int,
) -> Done:
    """Ask everything, or take it from the store, and write the transcript."""
    settings = schema.Engine(**{**vars(work.engine), **tuning})
    around = Surroundings(recorded, pairs, settings.threads or threads, store / "models")
    engine = open_engine(work.judge.model, settings, around)
    if not engine.stored:
        calls = write(work, pairs, out, engine, settings.window)
        return Done(calls, calls, 0, dict(engine.identity))
    with Store(store / "completions") as completions:
        answering = Answering(engine, completions)
        calls = write(work, pairs, out, answering, settings.window)
        return Done(calls, answering.asked, answering.reused, dict(engine.identity))


def write(work: Judging, pairs: Sequence[Pair], out: Path, engine: Engine, window: int) -> int:
    results = asyncio.run(judge_all(pairs, work.hows, work.judge, engine, window))
    asked = [call for _, _, _, calls in results for call in in_order(calls)]
    write_transcripts(out, asked)
    return len(asked)


def open_engine(model: schema.Model, settings: schema.Engine, around: Surroundings) -> Engine:
    """The engine of a kind lives in the module of that name, imported only now."""
    module = importlib.import_module(f"plumbline.engines.{settings.kind}")
    engine: Engine = module.open_engine(model, settings, around)
    return engine
