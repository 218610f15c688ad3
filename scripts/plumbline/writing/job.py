"""A write job: one engine session that asks for all texts and writes the transcript; and the texts read from it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from plumbline.asking.transcripts import Transcripts, writing_transcripts
from plumbline.config.parts import with_parts
from plumbline.data.instances import Instance
from plumbline.models.asking import Engine
from plumbline.models.kinds import named
from plumbline.models.session import Done, EngineContext, Instances, ask_through, open_engine
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log
from plumbline.records.rows import writing_records
from plumbline.records.tally import Tally, tally_path
from plumbline.writing.asking import Run, StepOptions, write_all
from plumbline.writing.setup import WritingSetup
from plumbline.writing.written import State, Written, counted

WINDOW = 64


def write(
    setup: WritingSetup, instances: Instances, out: Path, store: Path, tuning: Mapping[str, Any], threads: int
) -> Done:
    """Ask for everything, or take it from the store, and write the transcript."""
    if not named(setup.engine.kind).asks:
        raise PlumblineError(
            f"a model with the engine {setup.engine.kind!r} writes no new texts",
            where=", ".join(options.name for options in setup.steps),
            do="name a model that can be asked",
        )
    settings, model = with_parts(setup.engine, tuning["engine"]), with_parts(setup.model, tuning["model"])
    tally = Tally("/".join(out.with_suffix("").parts[-3:]), len(instances))
    context = EngineContext((), instances, threads, store / "models")

    def ask(engine: Engine) -> None:
        with writing_transcripts(out) as keep:
            asyncio.run(write_all(instances, setup.steps, engine, settings.window, keep, tally.finish))

    return ask_through(open_engine(model, settings, context), store, ask, tally, tally_path(out))


def replay(instances: Iterable[Instance], steps: Sequence[StepOptions], transcripts: Sequence[Path]) -> list[Written]:
    """Every text of every instance and step, read from transcripts; no model is asked."""
    found: list[Written] = []
    replay_into(found.extend, instances, steps, transcripts)
    return found


def replay_into(
    add: Callable[[Iterable[Written]], None],
    instances: Iterable[Instance],
    steps: Sequence[StepOptions],
    transcripts: Sequence[Path],
) -> None:
    """The same, each instance's texts handed on as soon as they are there."""
    engine = Transcripts(transcripts)

    def keep(runs: Sequence[Run]) -> None:
        for run in runs:
            add(run.texts)
            engine.forget(run.instance)

    asyncio.run(write_all(instances, steps, engine, WINDOW, keep))


def write_texts(
    out: Path, instances: Iterable[Instance], steps: Sequence[StepOptions], transcripts: Sequence[Path]
) -> None:
    """All texts into a file; how many are in which state is said, as a warning where some are of no use."""
    states: Counter[State] = Counter()
    with writing_records(out, Written) as add:

        def keep(texts: Iterable[Written]) -> None:
            kept = list(texts)
            states.update(text.state for text in kept)
            add(kept)

        replay_into(keep, instances, steps, transcripts)
    flawed = states.total() - states["written"]
    (log.warning if flawed else log.info)("texts: %s", counted(states))
