"""Instances: the pairs people labelled, in one schema whatever the source."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from plumbline.files import canonical
from plumbline.parquet import columns_of, count_rows, stream_rows, write_rows

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


def identified(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Give each pair its content's id; repeated content is numbered in order."""
    seen: Counter[str] = Counter()
    for pair in pairs:
        base = content_id(pair.subset, pair.instruction, pair.first, pair.second)
        seen[base] += 1
        name = base if seen[base] == 1 else f"{base}-{seen[base]}"
        yield Pair(name, pair.subset, pair.instruction, pair.first, pair.second, pair.gold, pair.origin)


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    write_rows(path, map(asdict, pairs), PAIRS)


@dataclass(frozen=True)
class PairFile:
    """The pairs of a file from `start` to before `stop`, read as they are needed, each time anew."""

    path: Path
    start: int
    stop: int

    @classmethod
    def whole(cls, path: Path) -> PairFile:
        return cls(path, 0, count_rows(path))

    def shard(self, name: str) -> PairFile:
        """The part that a shard `K-of-N` judges: contiguous, so that joined shards keep the order."""
        number, count = (int(part) for part in name.split("-of-"))
        size = len(self)
        return PairFile(self.path, self.start + size * (number - 1) // count, self.start + size * number // count)

    def __len__(self) -> int:
        return self.stop - self.start

    def __iter__(self) -> Iterator[Pair]:
        return (Pair(**row) for row in stream_rows(self.path, PAIRS, None, self.start, self.stop))


def read_pairs(path: Path) -> list[Pair]:
    return list(PairFile.whole(path))
