"""What one judge said of one instance: every verdict, and every call with its prompt, settings and answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from plumbline.asking.transcripts import TranscriptRow
from plumbline.data.verdicts import Verdict, stream_verdicts
from plumbline.models.asking import bias_of
from plumbline.records.parquet import stream_tables
from plumbline.records.rows import records_of, shape_of, stream_records

PARTS = 8
"""The calls of a model about a benchmark lie in so many files, by the first digit of the instance's id."""
DIGITS = 16


def part_of(instance: str) -> int:
    return int(instance[0], DIGITS) * PARTS // DIGITS


def part_names() -> list[str]:
    return [str(number) for number in range(PARTS)]


def calls_in_parts(verdicts: Path, transcripts: Sequence[Path]) -> list[dict[str, Any]]:
    """By part and instance, what a model said under all its protocols; not what it wrote for others."""
    judging: set[str] = set()
    parts: list[dict[str, Any]] = [{} for _ in range(PARTS)]

    def about(instance: str) -> dict[str, Any]:
        there = parts[part_of(instance)]
        return there.setdefault(instance, {"verdicts": [], "calls": []})  # type: ignore[no-any-return]

    for verdict in stream_verdicts(verdicts):
        judging.add(verdict.protocol)
        about(verdict.instance)["verdicts"].append(shown_verdict(verdict))
    for path in transcripts:
        for call in stream_records(path, TranscriptRow):
            if call.protocol in judging:
                about(call.instance)["calls"].append(shown_call(call))
    return parts


def calls_about(transcripts: Iterable[Path], instance: str, protocols: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The calls behind one instance's verdicts, without unpacking what the others were."""
    wanted = {(instance, protocol) for protocol in protocols}
    for path in transcripts:
        for table in stream_tables(path, shape_of(TranscriptRow).schema):
            places = zip(table["instance"].to_pylist(), table["protocol"].to_pylist(), strict=True)
            yield from map(shown_call, records_of(table.filter([place in wanted for place in places]), TranscriptRow))


def shown_verdict(verdict: Verdict) -> dict[str, Any]:
    """A verdict as it is shown; what is not known is left out."""
    shown = {
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
        "checklist": verdict.checklist,
        "step": verdict.step,
        "derived_from": list(verdict.derived_from),
        "logprobs": dict(verdict.logprobs),
    }
    return {name: value for name, value in shown.items() if value not in (None, "", [], {}, False)}


def shown_call(call: TranscriptRow) -> dict[str, Any]:
    """A call as it is shown; what is not known is left out, and a text may be scored after no messages."""
    messages = [[message.role, message.content] for message in call.dialogue]
    shown = {
        "protocol": call.protocol,
        "step": call.step,
        "showing": call.showing,
        "sample": call.sample,
        "key": call.key,
        "max_tokens": call.max_tokens,
        "temperature": call.temperature,
        "choices": list(call.choices),
        "scored": call.scored,
        "text": call.text,
        "finish": call.finish,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "logprobs": list(call.logprobs),
        "bias": [[each.text, each.added] for each in bias_of(call.bias)],
    }
    return {"messages": messages} | {name: value for name, value in shown.items() if value not in (None, [])}
