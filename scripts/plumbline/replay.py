"""Replay: run the protocols against the transcripts; no model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict
from plumbline.derived import derived
from plumbline.judge import Judge, Judged, judge_all
from plumbline.protocols import ProtocolOptions
from plumbline.transcripts import Transcripts

WINDOW = 64


def replay(
    instances: Iterable[Instance], protocols: Sequence[ProtocolOptions], judge: Judge, transcripts: Transcripts
) -> list[Verdict]:
    """Every verdict of every instance and protocol, and those that follow from them."""
    found: list[Verdict] = []
    replay_into(found.extend, instances, protocols, judge, transcripts)
    return found


def replay_into(
    keep: Callable[[Iterable[Verdict]], None],
    instances: Iterable[Instance],
    protocols: Sequence[ProtocolOptions],
    judge: Judge,
    transcripts: Transcripts,
) -> None:
    """The same, each instance's verdicts handed on as soon as they are there."""

    def take(results: Sequence[Judged]) -> None:
        for result in results:
            keep(verdicts_of(result))
            transcripts.forget(result.instance.id)

    asyncio.run(judge_all(instances, protocols, judge, transcripts, WINDOW, take))


def verdicts_of(result: Judged) -> list[Verdict]:
    """What was said, then what follows from it."""
    return [*result.verdicts, *derived(result.options, result.verdicts)]
