"""Vectors: where an encoder places instances; one row each, as a file and as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from plumbline.records.errors import PlumblineError
from plumbline.records.parquet import write_table

Matrix = NDArray[np.float32]
COLUMNS = ["instance", "step", "embedding"]


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """An instance's embedding."""

    instance: str
    step: str
    """As it was asked for: with another prefix, an instruction lies elsewhere."""
    embedding: NDArray[np.float32]


def write_vectors(path: Path, vectors: Sequence[Vector]) -> None:
    """All vectors, which must be of one length."""
    rows = np.stack([one.embedding for one in vectors]) if vectors else np.zeros((0, 1), np.float32)
    embeddings = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel(), pa.float32()), rows.shape[1])
    names = {name: pa.array([getattr(one, name) for one in vectors], pa.string()) for name in COLUMNS[:2]}
    write_table(path, pa.table({**names, "embedding": embeddings}))


def read_vectors(path: Path, step: str) -> tuple[list[str], Matrix]:
    """The instances' names, and their rows, of what was asked for under a name."""
    table = pq.read_table(path)
    if table.column_names != COLUMNS:
        raise PlumblineError(f"{path} holds no vectors", where=str(path), do=f"build it again: snakemake {path}")
    table = table.filter(pc.equal(table["step"], step))
    vectors = table["embedding"].combine_chunks()
    size = table.schema.field("embedding").type.list_size
    rows = vectors.flatten().to_numpy(zero_copy_only=False).reshape(-1, size) if len(vectors) else np.zeros((0, size))
    return table["instance"].to_pylist(), rows.astype(np.float32, copy=False)
