"""Replay: run the protocols against the transcripts; no model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from plumbline.instances import Pair
from plumbline.judge import Asked, Judge, Judged, judge_all
from plumbline.noise import is_close
from plumbline.parquet import Row
from plumbline.protocols import How, Judgment, Preference
from plumbline.transcripts import Transcripts


def replay(
    pairs: Iterable[Pair],
    hows: Sequence[How],
    judge: Judge,
    transcripts: Transcripts,
    noise: float | None = None,
) -> list[Row]:
    """The verdict of every pair, protocol and order; `noise` is how far the model's arithmetic may move one."""
    rows: list[Row] = []
    replay_into(rows.extend, pairs, hows, judge, transcripts, noise)
    return rows


def replay_into(
    keep: Callable[[Iterable[Row]], None],
    pairs: Iterable[Pair],
    hows: Sequence[How],
    judge: Judge,
    transcripts: Transcripts,
    noise: float | None = None,
) -> None:
    """The same, each pair's verdicts handed on as soon as they are there."""

    def take(results: Sequence[Judged]) -> None:
        for pair, how, judgment, asked in results:
            keep(verdict_rows(pair, how, judgment, asked, noise))
            transcripts.forget(pair.id)

    asyncio.run(judge_all(pairs, hows, judge, transcripts, 64, take))


def verdict_rows(
    pair: Pair, how: How, judgment: Judgment, asked: Sequence[Asked], noise: float | None = None
) -> list[Row]:
    decided = deciding_step(asked)
    return [
        _row(pair, how, order, preference, decided) | {"close": is_close(preference.gap, noise)}
        for order, preference in (("plain", judgment.plain), ("swapped", judgment.swapped))
    ]


def deciding_step(asked: Sequence[Asked]) -> str:
    """The last step of the program: where to look for the words behind the verdict."""
    return asked[-1].place.step if asked else ""


def _row(pair: Pair, how: How, order: str, preference: Preference, step: str) -> Row:
    return {
        "instance": pair.id,
        "subset": pair.subset,
        "gold": pair.gold,
        "protocol": how.name,
        "order": order,
        "as_published": preference.reading.as_published,
        "strict": preference.reading.strict,
        "why": preference.reading.why,
        "margin": preference.margin,
        "score_first": preference.scores[0],
        "score_second": preference.scores[1],
        "step": step,
    }
