"""Verdicts: what each judge said of each instance, in each order and both readings."""

from __future__ import annotations

import pyarrow as pa

VERDICTS = pa.schema(
    [
        pa.field("instance", pa.string(), nullable=False),
        pa.field("subset", pa.string(), nullable=False),
        pa.field("gold", pa.string(), nullable=False),
        pa.field("protocol", pa.string(), nullable=False),
        pa.field("order", pa.string(), nullable=False),
        pa.field("as_published", pa.string(), nullable=False),
        pa.field("strict", pa.string(), nullable=False),
        pa.field("why", pa.string(), nullable=False),
        pa.field("margin", pa.float64()),
        pa.field("close", pa.bool_(), nullable=False),
        pa.field("score_first", pa.float64()),
        pa.field("score_second", pa.float64()),
        pa.field("step", pa.string(), nullable=False),
    ]
)
