"""Instances: the pairs people labelled, in one schema whatever the source."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from plumbline.files import canonical
from plumbline.parquet import columns_of, read_rows, write_rows

Gold = Literal["first", "second", "tie"]


@dataclass(frozen=True, slots=True)
class Pair:
    """An instruction with two outputs, one of which people found better."""

    id: str
    subset: str
    instruction: str
    first: str
    second: str
    gold: Gold
    origin: str
    """Where the source keeps it: file and position, e.g. `Dataset/…/dataset.json#17`."""


PAIRS = columns_of(Pair)


def content_id(*texts: str) -> str:
    """A stable id made of the content alone."""
    return hashlib.sha256(canonical(texts).encode()).hexdigest()[:16]


def identified(pairs: Iterable[Pair]) -> list[Pair]:
    """Give each pair its content's id; repeated content is numbered in order."""
    seen: Counter[str] = Counter()
    result = []
    for pair in pairs:
        base = content_id(pair.subset, pair.instruction, pair.first, pair.second)
        seen[base] += 1
        name = base if seen[base] == 1 else f"{base}-{seen[base]}"
        result.append(Pair(name, pair.subset, pair.instruction, pair.first, pair.second, pair.gold, pair.origin))
    return result


def write_pairs(path: Path, pairs: Sequence[Pair]) -> None:
    write_rows(path, [asdict(pair) for pair in pairs], PAIRS)


def read_pairs(path: Path) -> list[Pair]:
    return [Pair(**row) for row in read_rows(path, PAIRS)]
