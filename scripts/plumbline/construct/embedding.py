"""Embeddings of a pool's instructions, and each one's neighbour below the ceiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from plumbline import schema
from plumbline.construct.neighbours import NOBODY, Matrix, nearest_below
from plumbline.construct.pools import Item
from plumbline.engines.weights import digest_of_weights, locate, missing_libraries
from plumbline.errors import PlumblineError
from plumbline.parquet import Row, write_table

NEIGHBOURS = pa.schema(
    [
        pa.field("item", pa.string(), nullable=False),
        pa.field("neighbour", pa.string(), nullable=False),
        pa.field("similarity", pa.float64()),
    ]
)
"""The neighbour's item, or nothing where no instruction of the pool is below the ceiling."""
BATCH = 64


def embed(texts: Sequence[str], model: schema.Model, prefix: str) -> tuple[Matrix, dict[str, Any]]:
    """One row for each text, and the identity of the model that made them; a GPU is used where there is one."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise missing_libraries(error) from error

    weights = locate(model)
    identity = {**weights.origin, "weights": digest_of_weights(weights), "prefix": prefix}
    encoder = SentenceTransformer(str(weights.folder), trust_remote_code=model.trust_remote_code)
    if prefix:
        encoder.set_pooling_include_prompt(False)  # INSTRUCTOR averages over the text alone
    if not texts:
        return np.zeros((0, 1), np.float32), identity
    rows = encoder.encode(list(texts), prompt=prefix or None, batch_size=BATCH, show_progress_bar=False)
    return np.asarray(rows, dtype=np.float32), identity


def write_embeddings(path: Path, items: Sequence[Item], rows: Matrix) -> None:
    names = pa.array([item.id for item in items], pa.string())
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel(), pa.float32()), rows.shape[1])
    write_table(path, pa.table({"item": names, "embedding": vectors}))


def read_embeddings(path: Path) -> tuple[list[str], Matrix]:
    """The items' names, and their rows."""
    table = pq.read_table(path)
    if table.column_names != ["item", "embedding"]:
        raise PlumblineError(f"{path} holds no embeddings", where=str(path), do=f"build it again: snakemake {path}")
    vectors = table["embedding"].combine_chunks()
    size = table.schema.field("embedding").type.list_size
    rows = vectors.values.to_numpy(zero_copy_only=False).reshape(-1, size) if len(vectors) else np.zeros((0, size))
    return table["item"].to_pylist(), rows.astype(np.float32, copy=False)


def neighbours(items: Mapping[str, Item], names: Sequence[str], rows: Matrix, ceiling: float) -> list[Row]:
    """Each drawn item's neighbour in its own pool (LLMBar, section 2.2: from the same data set)."""
    found: list[Row] = []
    for pool in dict.fromkeys(items[name].pool for name in names):
        places = [place for place, name in enumerate(names) if items[name].pool == pool]
        nearest = nearest_below(rows[places], ceiling)
        for place, other, similarity in zip(places, nearest.index, nearest.similarity, strict=True):
            if items[names[place]].drawn:
                neighbour = "" if other == NOBODY else names[places[other]]
                found.append(
                    {
                        "item": names[place],
                        "neighbour": neighbour,
                        "similarity": float(similarity) if neighbour else None,
                    }
                )
    return found
