"""Replay: run the protocols against the transcripts; no model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from plumbline.instances import Pair
from plumbline.judge import Asked, Judge, judge_all
from plumbline.parquet import Row
from plumbline.protocols import How, Judgment, Preference
from plumbline.transcripts import Transcripts


def replay(pairs: Sequence[Pair], hows: Sequence[How], judge: Judge, transcripts: Transcripts) -> list[Row]:
    """The verdict of every pair, protocol and order."""
    results = asyncio.run(judge_all(pairs, hows, judge, transcripts, window=64))
    return [
        row
        for how in hows
        for pair, done, judgment, asked in results
        if done is how
        for row in verdict_rows(pair, how, judgment, asked)
    ]


def verdict_rows(pair: Pair, how: How, judgment: Judgment, asked: Sequence[Asked]) -> list[Row]:
    decided = deciding_step(asked)
    return [
        _row(pair, how, order, preference, decided)
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
        "margin": preference.margin,
        "score_first": preference.scores[0],
        "score_second": preference.scores[1],
        "step": step,
    }
