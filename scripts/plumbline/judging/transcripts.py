"""Transcripts: every call a judge job made, and an engine that answers from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import pyarrow as pa

from plumbline.judging.judge import Asked, Judged
from plumbline.models.asking import Completion, Message, Place, Request
from plumbline.records.errors import PlumblineError
from plumbline.records.parquet import Row, stream_rows, writing_rows

TRANSCRIPTS = pa.schema(
    [
        pa.field("instance", pa.string(), nullable=False),
        pa.field("protocol", pa.string(), nullable=False),
        pa.field("step", pa.string(), nullable=False),
        pa.field("showing", pa.string(), nullable=False),
        pa.field("sample", pa.int32(), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        pa.field("messages", pa.string(), nullable=False),
        pa.field("max_tokens", pa.int32(), nullable=False),
        pa.field("temperature", pa.float64(), nullable=False),
        pa.field("choices", pa.list_(pa.string()), nullable=False),
        pa.field("scored", pa.string()),
        pa.field("bias", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("finish", pa.string(), nullable=False),
        pa.field("prompt_tokens", pa.int32()),
        pa.field("completion_tokens", pa.int32()),
        pa.field("logprobs", pa.list_(pa.float64()), nullable=False),
    ]
)


@contextmanager
def writing_transcripts(path: Path) -> Iterator[Callable[[Sequence[Judged]], None]]:
    """What to give each pair's results to, in the order of the pairs."""
    with writing_rows(path, TRANSCRIPTS) as writer:
        yield lambda results: writer.add(row_of(call) for result in results for call in in_order(result.asked))


def row_of(call: Asked) -> Row:
    request, completion = call.request, call.completion
    return {
        **vars(call.place),
        "key": request.key,
        "messages": request.written,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "choices": list(request.choices),
        "scored": request.scored,
        "bias": request.bias_written,
        **vars(completion),
        "logprobs": list(completion.logprobs),
    }


def in_order(asked: Sequence[Asked]) -> list[Asked]:
    """The calls of one run of a program in an order that does not depend on which answer came first."""
    return sorted(asked, key=lambda call: (call.place.step, call.place.showing, call.place.sample))


def messages_of(row: Row) -> tuple[Message, ...]:
    return tuple(Message(role, content) for role, content in json.loads(row["messages"]))


class Transcripts:
    """Answers each call with what the judge job wrote down; asks nobody.

    Calls of one instance stand together, and instances come in the order in which they are asked about: what is
    held are the few that were read and are not yet forgotten.
    """

    stored = False
    identity: Mapping[str, Any] = {}

    def __init__(self, paths: Sequence[Path]) -> None:
        columns = ["instance", "protocol", "step", "showing", "sample", "key"]
        columns += ["text", "finish", "prompt_tokens", "completion_tokens", "logprobs"]
        self.paths = paths
        rows = chain.from_iterable(stream_rows(path, TRANSCRIPTS, columns) for path in paths)
        self._unread = groupby(rows, lambda row: row["instance"])
        self._held: dict[str, dict[tuple[str, str, str, int], Row]] = {}

    def forget(self, instance: str) -> None:
        self._held.pop(instance, None)

    def _calls(self, instance: str) -> Mapping[tuple[str, str, str, int], Row]:
        while instance not in self._held and (found := next(self._unread, None)):
            name, rows = found
            calls = {(row["protocol"], row["step"], row["showing"], row["sample"]): row for row in rows}
            self._held.setdefault(name, {}).update(calls)
        return self._held.get(instance, {})

    async def answer(self, request: Request, place: Place) -> Completion:
        row = self._calls(place.instance).get((place.protocol, place.step, place.showing, place.sample))
        if row is None or row["key"] != request.key:
            what = "lacks" if row is None else "holds the answer to another prompt for"
            raise PlumblineError(
                f"the transcript {what} {place.protocol}, step {place.step!r} of instance {place.instance}",
                where=", ".join(map(str, self.paths)),
                do="judge again (snakemake --forcerun judge …): what is asked or how answers are read has changed",
            )
        return Completion(
            row["text"], row["finish"], row["prompt_tokens"], row["completion_tokens"], tuple(row["logprobs"])
        )

    async def close(self) -> None:
        return None
