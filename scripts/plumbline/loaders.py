"""Read the instances of a benchmark from its source, whatever the source's format."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from plumbline import schema
from plumbline.archive import SourceFiles
from plumbline.errors import PlumblineError, nearest
from plumbline.files import parse_json
from plumbline.instances import Gold, Pair, identified
from plumbline.joblog import log
from plumbline.parquet import ROW_GROUP

SHOWN = 5
"""So many subsets that a benchmark does not name are warned of one by one."""
GOLDS: dict[str, Gold] = {
    "1": "first",
    "2": "second",
    "first": "first",
    "second": "second",
    "tie": "tie",
    "0": "tie",
}


def load(benchmark: schema.Benchmark, source: SourceFiles) -> Iterator[Pair]:
    """All instances, subset by subset in the order of the configuration, read as they are taken."""
    return identified(_unnamed(benchmark, source))


def _unnamed(benchmark: schema.Benchmark, source: SourceFiles) -> Iterator[Pair]:
    for subset in benchmark.subsets:
        yield from islice(LOADERS[benchmark.loader](benchmark, source, subset), benchmark.limit or None)
    if benchmark.loader == "pairs":
        _check_subsets(benchmark, source)


def load_llmbar(benchmark: schema.Benchmark, source: SourceFiles, subset: str) -> Iterator[Pair]:
    """The authors' folder of a subset: a `dataset.json` with input, output_1, output_2 and label."""
    file = f"{benchmark.subsets[subset]}/dataset.json"
    rows = parse_json(source.read(file), file)
    if not isinstance(rows, list):
        raise PlumblineError("a data set is not a list of instances", where=file)
    if not rows:
        raise PlumblineError(f"the subset {subset!r} has no instances", where=file)
    columns = {"instruction": "input", "first": "output_1", "second": "output_2", "gold": "label"}
    for position, row in enumerate(rows):
        yield _pair(row, columns, subset, f"{file}#{position}", position)


def load_pairs(benchmark: schema.Benchmark, source: SourceFiles, subset: str) -> Iterator[Pair]:
    """Of a file of pairs with the columns instruction, output_1, output_2, better (1 or 2) and perhaps subset.

    A row that names no subset belongs to the first. The file is read once for each subset, so that none is held.
    """
    columns = {"instruction": "instruction", "first": "output_1", "second": "output_2", "gold": "better"}
    for file, position, row in _rows_in(source):
        if _subset_of(row, benchmark) == subset:
            yield _pair(row, columns, subset, f"{file}#{position}", position)


def _rows_in(source: SourceFiles) -> Iterator[tuple[str, int, Any]]:
    for file in source.names():
        with source.open(file) as handle:
            yield from ((file, position, row) for position, row in enumerate(rows_of(file, handle)))


def _subset_of(row: Any, benchmark: schema.Benchmark) -> str:
    named = row.get("subset") if isinstance(row, Mapping) else None
    return next(iter(benchmark.subsets)) if named in (None, "") else str(named)


def _check_subsets(benchmark: schema.Benchmark, source: SourceFiles) -> None:
    """Each subset of the benchmark has rows; rows of any other subset are counted and warned of."""
    found = Counter(_subset_of(row, benchmark) for _, _, row in _rows_in(source))
    where = ", ".join(source.names())
    if not found:
        raise PlumblineError(f"{where} holds no rows", where=where, expected="one row for each pair")
    for subset in benchmark.subsets:
        if subset not in found:
            raise PlumblineError(f"the subset {subset!r} has no instances", where=where, do=nearest(subset, found))
    unknown = [(name, count) for name, count in found.items() if name not in benchmark.subsets]
    for name, count in unknown[:SHOWN]:
        rows, hint = "row is" if count == 1 else "rows are", nearest(name, benchmark.subsets)
        log.warning("%d %s left out: the benchmark has no subset %r (%s), %s", count, rows, name, hint, where)
    if more := unknown[SHOWN:]:
        rows_left = sum(count for _, count in more)
        log.warning("%d rows of %d more unknown subsets are left out, %s", rows_left, len(more), where)


LOADERS = {"llmbar": load_llmbar, "pairs": load_pairs}


def rows_of(file: str, handle: IO[bytes]) -> Iterator[Any]:
    """The rows of a JSONL, JSON, CSV or Parquet file; all but those of JSON are read as they are taken."""
    try:
        if file.endswith(".parquet"):
            for batch in pq.ParquetFile(io.BytesIO(handle.read())).iter_batches(ROW_GROUP):
                yield from batch.to_pylist()
        elif file.endswith(".csv"):
            yield from csv.DictReader(io.TextIOWrapper(handle, "utf-8-sig", newline=""))
        elif file.endswith(".json"):
            parsed = parse_json(handle.read(), file)
            yield from parsed if isinstance(parsed, list) else [parsed]
        else:
            yield from _lines(file, handle)
    except (UnicodeDecodeError, csv.Error, pa.ArrowException, OSError) as error:
        raise PlumblineError(f"{file} cannot be read ({error})", where=file) from error


def _lines(file: str, lines: Iterable[bytes]) -> Iterator[Any]:
    for number, line in enumerate(lines, start=1):
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
