"""Replay: run the protocols against the transcripts; no model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from plumbline.asking.derived import derived
from plumbline.asking.judge import Judge, Judged, judge_all
from plumbline.asking.protocols import ProtocolOptions
from plumbline.asking.transcripts import Transcripts
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict
from plumbline.models.noise import is_close

WINDOW = 64


def replay(
    instances: Iterable[Instance],
    protocols: Sequence[ProtocolOptions],
    judge: Judge,
    transcripts: Transcripts,
    noise: float | None = None,
) -> list[Verdict]:
    """Every verdict of every instance and protocol, and those that follow from them.

    `noise` is how far the model's arithmetic may move a verdict.
    """
    found: list[Verdict] = []
    replay_into(found.extend, instances, protocols, judge, transcripts, noise)
    return found


def replay_into(
    keep: Callable[[Iterable[Verdict]], None],
    instances: Iterable[Instance],
    protocols: Sequence[ProtocolOptions],
    judge: Judge,
    transcripts: Transcripts,
    noise: float | None = None,
) -> None:
    """The same, each instance's verdicts handed on as soon as they are there."""

    def take(results: Sequence[Judged]) -> None:
        for result in results:
            keep(verdicts_of(result, noise))
            transcripts.forget(result.instance.id)

    asyncio.run(judge_all(instances, protocols, judge, transcripts, WINDOW, take))


def verdicts_of(result: Judged, noise: float | None = None) -> list[Verdict]:
    """What was said, then what follows from it; what the noise could turn, or stands on flawed texts, is marked."""
    found = [*result.verdicts, *derived(result.options, result.verdicts)]
    if result.instance.flawed:
        found = [replace(verdict, flawed=result.instance.flawed) for verdict in found]
    return [replace(verdict, close=True) if is_close(verdict.gap, noise) else verdict for verdict in found]
