"""Pairs of the Chatbot Arena with what the person who asked preferred."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.conversations import conversation
from plumbline.data.instances import Instance, Output
from plumbline.data.loaded import Loaded, gold
from plumbline.data.loader import loader
from plumbline.records.errors import PlumblineError
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import mapping, rows_in, text_in

JUDGED = "data/judge_results/{}_gpt-4o-mini.json"
"""Holds every pair, with what the person preferred; what its judge picked is read as that of a model."""
TEXTS = "data/arena_subsets/{}.parquet"
CONVERSATIONS = ("conversation_a", "conversation_b")
NAMED = "The Arena's pair {}, of which the released files hold no text"
"""Stands for the instruction, so that whoever is shown it sees that there is none."""
WINNERS = {"model_a": "first", "model_b": "second", "tie": "tie"}


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
        first, second = (conversation(fields.get(name) or (), f"{where}, key {name}") for name in CONVERSATIONS)
        found[text_in(fields, "id", where)] = first.instruction, (first.reply, second.reply)
    return found
