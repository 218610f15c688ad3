"""JSONL, JSON, CSV, TSV and Parquet with a row for each item."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plumbline.records.errors import PlumblineError
from plumbline.sources.reading import mapping, rows_of

ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
WRAPPED = ("rows", "data", "items", "examples", "results")
"""A JSON file may hold its rows under one of these keys."""


def read(path: Path) -> list[dict[str, Any]]:
    """The rows, each with the names of its columns."""
    if path.suffix.lower() == ".tsv":
        rows: Iterable[Any] = _tabs(path)
    else:
        with path.open("rb") as handle:
            rows = list(rows_of(path.name.lower(), handle))
    found = list(rows)
    if len(found) == 1 and path.suffix.lower() == ".json" and isinstance(found[0], dict):
        found = next((found[0][key] for key in WRAPPED if isinstance(found[0].get(key), list)), found)
    return [dict(mapping(row, f"{path.name}, row {number}")) for number, row in enumerate(found, start=1)]


def _tabs(path: Path) -> list[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            return list(csv.DictReader(handle, delimiter="\t"))
    except (UnicodeDecodeError, csv.Error) as error:
        raise PlumblineError(f"{path.name} cannot be read ({error})", where=str(path)) from error
