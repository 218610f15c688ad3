"""Vectors: where an encoder places instances; one row each, as a file and as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from plumbline.records.errors import PlumblineError
from plumbline.records.parquet import write_table

Matrix = NDArray[np.float32]
COLUMNS = ["instance", "embedding"]


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """An instance's embedding."""

    instance: str
    embedding: NDArray[np.float32]


def write_vectors(path: Path, names: Sequence[str], rows: Matrix) -> None:
    """A row of the matrix for each name."""
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel(), pa.float32()), rows.shape[1])
    write_table(path, pa.table({"instance": pa.array(list(names), pa.string()), "embedding": vectors}))


def read_vectors(path: Path) -> tuple[list[str], Matrix]:
    """The instances' names, and their rows."""
    table = pq.read_table(path)
    if table.column_names != COLUMNS:
        raise PlumblineError(f"{path} holds no vectors", where=str(path), do=f"build it again: snakemake {path}")
    vectors = table["embedding"].combine_chunks()
    size = table.schema.field("embedding").type.list_size
    rows = vectors.values.to_numpy(zero_copy_only=False).reshape(-1, size) if len(vectors) else np.zeros((0, size))
    return table["instance"].to_pylist(), rows.astype(np.float32, copy=False)


def stacked(vectors: Sequence[Vector]) -> tuple[list[str], Matrix]:
    """Vectors as names and a matrix; without any, the matrix has no rows."""
    rows = np.stack([one.embedding for one in vectors]) if vectors else np.zeros((0, 1), np.float32)
    return [one.instance for one in vectors], rows
