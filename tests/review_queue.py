"""A queue of pairs for reviewers, as a set under construction leaves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from plumbline.data.instances import content_id
from plumbline.derive.pairs import PAIRS, Gold, Pair
from plumbline.records.parquet import write_rows


def pair_of(subset: str, instruction: str, first: str, second: str, gold: Gold, origin: str) -> Pair:
    """A pair with an id of its content."""
    return Pair(content_id(subset, instruction, first, second), subset, instruction, first, second, gold, origin)


def write_queue(path: Path, pairs: Sequence[Pair]) -> None:
    write_rows(path, map(asdict, pairs), PAIRS)
