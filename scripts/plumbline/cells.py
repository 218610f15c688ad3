"""Cells: the numbers of tables, each in both readings beside the printed one."""

from __future__ import annotations

from typing import Literal

import pyarrow as pa

Reading = Literal["as_published", "strict"]
READINGS: tuple[Reading, Reading] = ("as_published", "strict")
CELLS = pa.schema(
    [
        pa.field("row", pa.string(), nullable=False),
        pa.field("column", pa.string(), nullable=False),
        pa.field("metric", pa.string(), nullable=False),
        pa.field("reading", pa.string(), nullable=False),
        pa.field("value", pa.float64()),
        pa.field("paper", pa.float64()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("n", pa.int64(), nullable=False),
        pa.field("low", pa.float64()),
        pa.field("high", pa.float64()),
        pa.field("benchmark", pa.string(), nullable=False),
        pa.field("subsets", pa.list_(pa.string()), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("protocol", pa.string(), nullable=False),
        pa.field("unparsed", pa.int64(), nullable=False),
        pa.field("truncated", pa.int64(), nullable=False),
        pa.field("refused", pa.int64(), nullable=False),
        pa.field("waits_for", pa.list_(pa.string()), nullable=False),
        pa.field("close", pa.int64(), nullable=False),
    ]
)
