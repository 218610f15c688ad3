"""The first rows of a file of which nothing is known but its name: to look at, whatever they are."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from plumbline.records.errors import PlumblineError
from plumbline.sources.reading import rows_of

LOOKED_AT = 3
ROWS = (".jsonl", ".csv", ".json", ".parquet")
"""How files of rows end; others are shown line by line."""


def first_rows(name: str, data: bytes) -> list[str]:
    """The first rows of a file of rows, or lines of a text; why there is no further one, where it cannot be read."""
    rows: list[str] = []
    try:
        for row in islice(_rows(name, data), LOOKED_AT):
            rows.append(row)
    except (PlumblineError, ValueError, OSError, EOFError, RecursionError) as error:
        rows.append(f"({str(error).splitlines()[0]})")
    return rows


def _rows(name: str, data: bytes) -> Iterator[str]:
    stream: Any = io.BytesIO(data)
    if name.endswith(".gz"):
        name, stream = name.removesuffix(".gz"), gzip.GzipFile(fileobj=stream)
    if name.endswith(".json") and not _starts_as_list(stream):
        try:
            yield json.dumps(json.load(stream), ensure_ascii=False)
            return
        except json.JSONDecodeError:
            stream.seek(0)
            name += "l"  # JSON Lines often go by the wrong name
    if name.endswith(ROWS):
        yield from (json.dumps(row, ensure_ascii=False, default=str) for row in rows_of(name, stream))
    else:
        yield from (line.rstrip(b"\r\n").decode() for line in stream)


def _starts_as_list(stream: Any) -> bool:
    start = stream.read(64).lstrip()[:1]
    stream.seek(0)
    return bool(start == b"[")
