"""Vectors: what is written is what is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from plumbline.data.vectors import Vector, read_vectors, write_vectors
from plumbline.records.errors import PlumblineError

STEPS = ("vector", "vector other")


def test_rows_and_names_of_a_step_come_back_bit_by_bit(tmp_path: Path) -> None:
    rows = np.random.default_rng(1).normal(size=(5, 3)).astype(np.float32)
    names = [f"i{number}" for number in range(5)]
    written = [
        Vector(name, step, row + n) for name, row in zip(names, rows, strict=True) for n, step in enumerate(STEPS)
    ]
    write_vectors(tmp_path / "v.parquet", written)
    for n, step in enumerate(STEPS):
        result = read_vectors(tmp_path / "v.parquet", step)
        assert result[0] == names and result[1].tobytes() == (rows + n).tobytes()
    column = pq.read_schema(tmp_path / "v.parquet").field("embedding").type
    assert column.list_size == 3 and column.value_type == pa.float32()


def test_no_vectors_are_read_as_none(tmp_path: Path) -> None:
    write_vectors(tmp_path / "v.parquet", [])
    names, rows = read_vectors(tmp_path / "v.parquet", "vector")
    assert names == [] and len(rows) == 0


def test_another_table_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"item": ["a"]}), tmp_path / "v.parquet")
    with pytest.raises(PlumblineError, match="holds no vectors"):
        read_vectors(tmp_path / "v.parquet", "vector")
