"""Pairs of the Chatbot Arena with what the person who asked preferred."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.instances import Instance, Output
from plumbline.data.loaded import Loaded, gold
from plumbline.data.loader import loader
from plumbline.records.errors import PlumblineError
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import mapping, rows_in, text_in

JUDGED = "data/judge_results/{}_gpt-4o-mini.json"
"""Holds every pair, with what the person preferred; what its judge picked is read as that of a model."""
TEXTS = "data/arena_subsets/{}.parquet"
NAMED = "The Arena's pair {}, of which the released files hold no text"
"""Stands for the instruction, so that whoever is shown it sees that there is none."""
WINNERS = {"model_a": "first", "model_b": "second", "tie": "tie"}
ROLES = {"user": "User", "assistant": "Assistant"}


@loader(options=ReadBenchmark)
def arena(benchmark: ReadBenchmark, source: SourceFiles, subset: str) -> Iterator[Loaded]:
    """Conversations of the Chatbot Arena with two models, and which the person preferred.

    The instruction is the first turn; the output of a model is its reply, or where the conversation went on, all that
    follows the first turn, with who said it. A pair whose texts were not released has the name of the pair in place of
    the instruction and two empty outputs: it has labels and recorded verdicts, and nobody can be asked about it.
    """
    texts = _texts(source, TEXTS.format(benchmark.subsets[subset]))
    file = JUDGED.format(benchmark.subsets[subset])
    for _, position, row in rows_in(source, [file]):
        where = f"{file}, row {position + 1}"
        fields = mapping(row, where)
        key = text_in(fields, "id", where)
        systems = [text_in(fields, name, where) for name in ("model_a", "model_b")]
        instruction, replies = texts.get(key, (NAMED.format(key), ("", "")))
        outputs = tuple(Output(system, text) for system, text in zip(systems, replies, strict=True))
        instance = Instance("", subset, instruction, outputs, {}, f"{file}#{position}", key)
        yield Loaded(instance, (gold(_winner(fields, where), f"{where}, key human_winner"),))


def _winner(row: Mapping[str, Any], where: str) -> str:
    winner = text_in(row, "human_winner", where)
    if winner not in WINNERS:
        raise PlumblineError(
            f"the winner {winner!r} is neither model nor a tie",
            where=f"{where}, key human_winner",
            expected=", ".join(WINNERS),
            do="fetch the source again, in the revision that its file names",
        )
    return WINNERS[winner]


def _texts(source: SourceFiles, file: str) -> dict[str, tuple[str, tuple[str, str]]]:
    """By pair, the first turn and what followed it on each side; nothing where no texts were released."""
    found = {}
    for _, position, row in rows_in(source, [file]) if file in source.names() else ():
        where = f"{file}, row {position + 1}"
        fields = mapping(row, where)
        first, replies = zip(*(_conversation(fields, f"conversation_{side}", where) for side in "ab"), strict=True)
        found[text_in(fields, "id", where)] = first[0], (replies[0], replies[1])
    return found


def _conversation(row: Mapping[str, Any], name: str, where: str) -> tuple[str, str]:
    turns = [(turn["role"], _said(turn)) for turn in row.get(name) or ()]
    if len(turns) < 2 or turns[0][0] != "user" or any(role not in ROLES for role, _ in turns):
        raise PlumblineError(
            "a conversation is not a user's turn and what follows it",
            where=f"{where}, key {name}",
            expected=f"turns by {' and '.join(ROLES)}, the first by user",
            do="fetch the source again, in the revision that its file names",
        )
    (_, instruction), *rest = turns
    reply = rest[0][1] if len(rest) == 1 else "\n\n".join(f"{ROLES[role]}: {text}" for role, text in rest)
    return instruction, reply


def _said(turn: Mapping[str, Any]) -> str:
    parts: Sequence[Mapping[str, Any]] = turn.get("content") or ()
    return "\n\n".join(str(part["text"]) for part in parts if part.get("text"))
