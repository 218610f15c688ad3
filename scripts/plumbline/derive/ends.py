"""What became of each single row of a set, where its funnel only counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.derive.filtering import SEEN_THROUGH, EvaluatorLabel, Filtered, read_filtered
from plumbline.derive.finals import Final, read_finals
from plumbline.derive.funnel import KEPT
from plumbline.derive.pools import Item, read_pool


@dataclass(frozen=True)
class End:
    """A row that a stage dropped, or that the last stage kept, with its texts by what they are."""

    stage: str
    outcome: str
    origin: str
    texts: Mapping[str, str]
    expected: str = ""
    """The output that is expected to be better: first, second or tie."""
    labels: Sequence[EvaluatorLabel] = ()


def ends(stages: Sequence[Path]) -> Iterator[End]:
    """In the order of the stages; what was never drawn met no end."""
    files = {path.stem: path for path in stages}
    if "pool" in files:
        yield from (of_item(item) for item in read_pool(files["pool"]) if item.dropped)
    reviewed = {final.id: final for final in read_finals(files["reviewed"])} if "reviewed" in files else {}
    for row in read_filtered(files["filtered"]):
        yield of_candidate(row, reviewed.get(row.candidate.id))


def of_item(item: Item) -> End:
    texts = {"instruction": item.instruction, "output": item.output, "other output": item.other}
    return End("pool", item.dropped, item.origin, present(texts))


def of_candidate(row: Filtered, final: Final | None) -> End:
    """`final` is what people made of it, where they have reviewed the set and it came so far."""
    stage, outcome = "filter", row.dropped or KEPT
    if row.dropped and row.dropped != SEEN_THROUGH:
        stage = "candidates"
    elif final:
        stage, outcome = "review", final.dropped or KEPT
    made = row.candidate
    texts = {
        "instruction": made.instruction,
        "the other instruction": made.related,
        f"O1 ({made.first_from})": made.first,
        f"O2 ({made.second_from})": made.second,
    }
    if final and final.state == "edited":
        edited = {"instruction": final.instruction, "first output": final.first, "second output": final.second}
        texts |= {f"{name} as edited": text for name, text in edited.items()}
    return End(stage, outcome, made.origin, present(texts), made.gold, row.labels)


def present(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if text}
