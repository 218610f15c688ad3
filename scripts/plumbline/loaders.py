"""Read the instances of a benchmark from its source, whatever the source's format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from plumbline import schema
from plumbline.archive import SourceFiles
from plumbline.errors import PlumblineError, nearest
from plumbline.files import parse_json
from plumbline.instances import Gold, Pair, identified

GOLDS: dict[str, Gold] = {
    "1": "first",
    "2": "second",
    "first": "first",
    "second": "second",
    "tie": "tie",
    "0": "tie",
}


def load(benchmark: schema.Benchmark, source: SourceFiles) -> list[Pair]:
    """All instances, subset by subset in the order of the configuration."""
    pairs = list(LOADERS[benchmark.loader](benchmark, source))
    by_subset = {subset: [pair for pair in pairs if pair.subset == subset] for subset in benchmark.subsets}
    for subset, found in by_subset.items():
        if not found:
            known = {pair.subset for pair in pairs}
            raise PlumblineError(f"the subset {subset!r} has no instances", do=nearest(subset, known))
    limit = benchmark.limit or None
    return identified(pair for found in by_subset.values() for pair in found[:limit])


def load_llmbar(benchmark: schema.Benchmark, source: SourceFiles) -> Iterator[Pair]:
    """The authors' folders: a `dataset.json` with input, output_1, output_2 and label."""
    for subset, folder in benchmark.subsets.items():
        file = f"{folder}/dataset.json"
        rows = parse_json(source.read(file), file)
        if not isinstance(rows, list):
            raise PlumblineError("a data set is not a list of instances", where=file)
        columns = {"instruction": "input", "first": "output_1", "second": "output_2", "gold": "label"}
        for position, row in enumerate(rows):
            yield _pair(row, columns, subset, f"{file}#{position}", position)


def load_pairs(benchmark: schema.Benchmark, source: SourceFiles) -> Iterator[Pair]:
    """One file of pairs with the columns instruction, output_1, output_2, better (1 or 2) and perhaps subset."""
    columns = {"instruction": "instruction", "first": "output_1", "second": "output_2", "gold": "better"}
    only = next(iter(benchmark.subsets))
    for file in source.names():
        for position, row in enumerate(rows_of(file, source.read(file))):
            subset = row.get("subset", only) if isinstance(row, Mapping) else only
            if subset in benchmark.subsets:
                yield _pair(row, columns, str(subset), f"{file}#{position}", position)


LOADERS = {"llmbar": load_llmbar, "pairs": load_pairs}


def rows_of(file: str, data: bytes) -> Iterable[Any]:
    """The rows of a JSONL, JSON, CSV or Parquet file; of JSONL, which may be long, one at a time."""
    try:
        if file.endswith(".parquet"):
            rows: list[Any] = pq.read_table(io.BytesIO(data)).to_pylist()
            return rows
        if file.endswith(".csv"):
            return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    except (UnicodeDecodeError, csv.Error, pa.ArrowException, OSError) as error:
        raise PlumblineError(f"{file} cannot be read ({error})", where=file) from error
    if file.endswith(".json"):
        parsed = parse_json(data, file)
        return parsed if isinstance(parsed, list) else [parsed]
    return _lines(file, data)


def _lines(file: str, data: bytes) -> Iterator[Any]:
    for number, line in enumerate(io.BytesIO(data), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                raise PlumblineError(f"a line is not JSON ({error})", where=f"{file}, line {number}") from error


def _pair(row: Any, columns: Mapping[str, str], subset: str, origin: str, position: int) -> Pair:
    where = f"{origin.partition('#')[0]}, row {position + 1}"
    if not isinstance(row, Mapping):
        raise PlumblineError("a row is not a mapping of columns", where=where, found=repr(row)[:120])
    texts = {ours: _text(row, theirs, where) for ours, theirs in columns.items() if ours != "gold"}
    label = row.get(columns["gold"])
    if str(label) not in GOLDS:
        raise PlumblineError(
            f"the label {label!r} names no output", where=f"{where}, key {columns['gold']}", expected="1 or 2"
        )
    return Pair("", subset, gold=GOLDS[str(label)], origin=origin, **texts)


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        hint = nearest(key, row) if key not in row else ""
        found = "nothing" if key not in row else repr(value)[:120]
        raise PlumblineError(f"the key {key!r} holds no text", where=where, expected="text", found=found, do=hint)
    return value
