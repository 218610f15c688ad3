"""Each drawn instruction's neighbour below the ceiling, and which of them are of use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from plumbline.derive.neighbours import NOBODY, Matrix, nearest_below
from plumbline.derive.pools import Item
from plumbline.records.parquet import Row, read_rows

NEIGHBOURS = pa.schema(
    [
        pa.field("item", pa.string(), nullable=False),
        pa.field("neighbour", pa.string(), nullable=False),
        pa.field("similarity", pa.float64()),
    ]
)
"""The neighbour's item, or nothing where no instruction of the pool is below the ceiling."""
ALL_TOO_CLOSE = "no neighbour below the ceiling"
TOO_FAR = "the neighbour is below the floor"


def why_no_neighbour(near: Row, floor: float) -> str:
    """Why an instruction has no neighbour of use, or nothing; a floor of 0 is none."""
    if not near["neighbour"]:
        return ALL_TOO_CLOSE
    return TOO_FAR if floor and near["similarity"] < floor else ""


def read_without_neighbour(path: Path, floor: float) -> set[str]:
    """The drawn items of a set that have no neighbour of use: nobody needs to write about them."""
    return {row["item"] for row in read_rows(path, NEIGHBOURS) if why_no_neighbour(row, floor)}


def of_pool(pool: str, items: Sequence[Item], names: Sequence[str], rows: Matrix) -> tuple[list[Item], Matrix]:
    """One pool's embedded items, and their rows."""
    by_name = {item.id: item for item in items if not item.dropped}
    places = [place for place, name in enumerate(names) if by_name[name].pool == pool]
    return [by_name[names[place]] for place in places], rows[places]


def neighbours(items: Sequence[Item], names: Sequence[str], rows: Matrix, ceiling: float) -> list[Row]:
    """Each drawn item's neighbour in its own pool (LLMBar, section 2.2: from the same data set)."""
    found: list[Row] = []
    for pool in dict.fromkeys(item.pool for item in items if item.drawn):
        members, vectors = of_pool(pool, items, names, rows)
        nearest = nearest_below(vectors, ceiling)
        for item, index, similarity in zip(members, nearest.index, nearest.similarity, strict=True):
            if item.drawn:
                none = index == NOBODY
                found.append(
                    {
                        "item": item.id,
                        "neighbour": "" if none else members[index].id,
                        "similarity": None if none else float(similarity),
                    }
                )
    return found
