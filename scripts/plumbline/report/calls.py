"""What one judge said of one instance: every verdict, and every call with its prompt, settings and answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from plumbline.data.verdicts import Verdict, stream_verdicts
from plumbline.judging.transcripts import TRANSCRIPTS, messages_of
from plumbline.models.asking import bias_of
from plumbline.records.parquet import Row, stream_rows, stream_tables

PARTS = 8
"""The calls of a model about a benchmark lie in so many files, by the first digit of the instance's id."""
DIGITS = 16


def part_of(instance: str) -> int:
    return int(instance[0], DIGITS) * PARTS // DIGITS


def part_names() -> list[str]:
    return [str(number) for number in range(PARTS)]


def calls_in_parts(verdicts: Path, transcripts: Sequence[Path]) -> list[dict[str, Any]]:
    """By part and instance, what a model said under all its protocols."""
    parts: list[dict[str, Any]] = [{} for _ in range(PARTS)]

    def about(instance: str) -> dict[str, Any]:
        there = parts[part_of(instance)]
        return there.setdefault(instance, {"verdicts": [], "calls": []})  # type: ignore[no-any-return]

    for verdict in stream_verdicts(verdicts):
        about(verdict.instance)["verdicts"].append(verdict_told(verdict))
    for path in transcripts:
        for row in stream_rows(path, TRANSCRIPTS):
            about(row["instance"])["calls"].append(call_told(row))
    return parts


def calls_about(transcripts: Iterable[Path], instance: str, protocols: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The calls behind one instance's verdicts, without unpacking what the others were."""
    wanted = {(instance, protocol) for protocol in protocols}
    for path in transcripts:
        for table in stream_tables(path, TRANSCRIPTS):
            places = zip(table["instance"].to_pylist(), table["protocol"].to_pylist(), strict=True)
            for number, place in enumerate(places):
                if place in wanted:
                    yield from map(call_told, table.slice(number, 1).to_pylist())


def verdict_told(verdict: Verdict) -> dict[str, Any]:
    """A verdict as it is shown; what is not known is left out."""
    told = {
        "protocol": verdict.protocol,
        "question": verdict.question,
        "showing": verdict.showing,
        "sample": verdict.sample,
        "as_published": str(verdict.as_published),
        "strict": str(verdict.strict),
        "why": verdict.why,
        "margin": verdict.margin,
        "close": verdict.close,
        "flawed": dict(verdict.flawed),
        "step": verdict.step,
        "derived_from": list(verdict.derived_from),
        "logprobs": dict(verdict.logprobs),
    }
    return {name: value for name, value in told.items() if value not in (None, "", [], {}, False)}


def call_told(row: Row) -> dict[str, Any]:
    """A call as it is shown."""
    told = {
        **{name: row[name] for name in ("protocol", "step", "showing", "sample", "key")},
        "messages": [[message.role, message.content] for message in messages_of(row)],
        **{name: row[name] for name in ("max_tokens", "temperature", "choices", "scored", "text", "finish")},
        **{name: row[name] for name in ("prompt_tokens", "completion_tokens", "logprobs")},
        "bias": [[each.text, each.added] for each in bias_of(row["bias"])],
    }
    return {name: value for name, value in told.items() if value not in (None, [])}
