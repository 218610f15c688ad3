"""LLMFAO's pairs with the votes of its crowd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.instances import CATEGORY, Instance, Output
from plumbline.data.labels import BETTER, Label
from plumbline.data.loaded import Loaded
from plumbline.data.loader import loader
from plumbline.records.errors import PlumblineError
from plumbline.sources.archive import SourceFiles
from plumbline.sources.reading import mapping, rows_in, text_in

PAIRS, VOTES = "pairs-crowd.jsonl", "crowd-comparisons.csv"
WINNERS = {"left": "first", "right": "second", "tie": "tie"}
DECIDED, TIED = "decided", "tied"
"""What a subset may be found by: whether more people prefer one output than the other, and than call it a tie."""


@loader(options=ReadBenchmark)
def llmfao(benchmark: ReadBenchmark, source: SourceFiles, subset: str) -> Iterator[Loaded]:
    """LLMFAO: two models' responses to one of 13 prompts, and the votes of several people.

    The subset found by `decided` holds the pairs of which one output has the most votes, that found by `tied` all
    others, so that agreement can be told with and without what people leave open.
    """
    votes = _votes(source)
    for _, position, row in rows_in(source, [PAIRS]):
        where = f"{PAIRS}, row {position + 1}"
        fields = mapping(row, where)
        key = str(fields.get("id"))
        labels = votes.get(key, [])
        if benchmark.subsets[subset] != (DECIDED if _is_decided(labels) else TIED):
            continue
        outputs = tuple(Output(str(fields.get(f"model_{x}")), text_in(fields, f"result_{x}", where)) for x in "xy")
        context = {CATEGORY: (text_in(fields, "type", where),)}
        instruction = text_in(fields, "text", where)
        yield Loaded(Instance("", subset, instruction, outputs, context, f"{PAIRS}#{position}", key), tuple(labels))


def _is_decided(labels: Sequence[Label]) -> bool:
    counts = Counter(label.word for label in labels)
    first, second = counts["first"], counts["second"]
    return first != second and max(first, second) > counts["tie"]


def _votes(source: SourceFiles) -> dict[str, list[Label]]:
    """What each person said, by pair; the left output is the one that the pair names first."""
    votes: dict[str, list[Label]] = {}
    for _, position, row in rows_in(source, [VOTES]):
        where = f"{VOTES}, row {position + 1}"
        fields = mapping(row, where)
        winner = text_in(fields, "winner", where)
        if winner not in WINNERS:
            raise PlumblineError(
                f"the vote {winner!r} is off the scale",
                where=f"{where}, column winner",
                expected=", ".join(WINNERS),
                do="fetch the source again, in the revision that its file names",
            )
        rater = text_in(fields, "worker", where)
        votes.setdefault(text_in(fields, "id", where), []).append(Label("", rater, BETTER, None, WINNERS[winner], None))
    return votes
