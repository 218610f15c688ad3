"""Parquet with a declared schema, checked on read and on write."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from plumbline.records.errors import PlumblineError
from plumbline.records.files import writing


class _WithoutPandas:
    """PyArrow imports pandas, a third of a second of each job, to see whether what becomes a column is one of its
    arrays. None of ours is: it looks once, and is told that there is no pandas."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


if "pandas" not in sys.modules:
    sys.meta_path.insert(0, _WithoutPandas)
    pa.array([0])
    sys.meta_path.remove(_WithoutPandas)

ROW_GROUP = 1 << 12
"""So many rows are in memory where a file is written or read in a stream."""
COMPRESSION: dict[str, Any] = {"compression": "zstd", "compression_level": 3}


Columns = Callable[[Sequence[Any]], Mapping[str, Sequence[Any]]]
"""The values of each column, of some rows."""


class RowWriter:
    """Holds a row group's worth of rows and no more."""

    def __init__(self, path: Path, schema: pa.Schema, target: pq.ParquetWriter, columns: Columns) -> None:
        self.path, self.schema, self.target = path, schema, target
        self.columns = columns
        self.written = 0
        self._rows: list[Any] = []

    def add(self, rows: Iterable[Any]) -> None:
        for row in rows:
            self._rows.append(row)
            if len(self._rows) == ROW_GROUP:
                self._write()

    def finish(self) -> None:
        """Write what is left; a file without rows has one row group all the same."""
        if self._rows or not self.written:
            self._write()

    def _write(self) -> None:
        values = self.columns(self._rows)
        columns = {field.name: _column(self.path, values[field.name], field, self.written) for field in self.schema}
        self.target.write_table(pa.Table.from_pydict(columns, schema=self.schema), row_group_size=ROW_GROUP)
        self.written += len(self._rows)
        self._rows = []


@contextmanager
def writing_rows(path: Path, schema: pa.Schema, columns: Columns) -> Iterator[RowWriter]:
    """Rows can be added in parts: how they are parted does not show in the file."""
    with writing(path) as handle, pq.ParquetWriter(handle, schema, **COMPRESSION) as target:
        writer = RowWriter(path, schema, target, columns)
        yield writer
        writer.finish()


def write_table(path: Path, table: pa.Table) -> None:
    with writing(path) as handle:
        pq.write_table(table, handle, row_group_size=ROW_GROUP, **COMPRESSION)


def count_rows(path: Path) -> int:
    with _reading(path):
        return int(pq.read_metadata(path).num_rows)


def stream_tables(
    path: Path, schema: pa.Schema, columns: Sequence[str] | None = None, start: int = 0, stop: int | None = None
) -> Iterator[pa.Table]:
    """The rows from `start` to before `stop`, a table for each row group; those before are not read."""
    with _reading(path):
        file = pq.ParquetFile(path)
    with file:
        _check(path, file.schema_arrow, schema, columns)
        begin = 0
        for group in range(file.num_row_groups):
            end = begin + file.metadata.row_group(group).num_rows
            first, last = max(start, begin), end if stop is None else min(stop, end)
            if first < last:
                with _reading(path):
                    table = file.read_row_group(group, list(columns) if columns else None)
                yield table.slice(first - begin, last - first)
            begin = end


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise PlumblineError(f"{path} is missing", where=str(path), do="build it: snakemake " + str(path)) from error
    except (OSError, pa.ArrowException) as error:
        raise PlumblineError(
            f"{path} is not readable as Parquet ({error})",
            where=str(path),
            do=f"remove it and build it again: snakemake {path}",
        ) from error


def _column(path: Path, values: Sequence[Any], field: pa.Field, before: int) -> pa.Array:
    try:
        try:
            column = pa.array(values, type=field.type)
        except UnicodeEncodeError:
            values = [_encodable(value) for value in values]
            column = pa.array(values, type=field.type)
    except (pa.ArrowException, TypeError, OverflowError) as error:
        place, value = _first_bad(values, field.type)
        number = before + place + 1
        raise PlumblineError(
            f"{path}: row {number}, column {field.name!r} does not fit",
            where=f"{path}, row {number}, column {field.name}",
            expected=str(field.type),
            found=repr(value)[:200],
        ) from error
    if not field.nullable and column.null_count:
        number = before + list(values).index(None) + 1
        raise PlumblineError(
            f"{path}: row {number}, column {field.name!r} is empty",
            where=f"{path}, row {number}, column {field.name}",
            expected=str(field.type),
        )
    return column


def _encodable(value: Any) -> Any:
    """Lone surrogates cannot be UTF-8: keep them readable as escapes instead of losing the row."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list | tuple):
        return type(value)(map(_encodable, value))
    return {name: _encodable(item) for name, item in value.items()} if isinstance(value, dict) else value


def _first_bad(values: Sequence[Any], kind: pa.DataType) -> tuple[int, Any]:
    for number, value in enumerate(values):
        try:
            pa.array([value], type=kind)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return number, value
    return 0, None


def _check(path: Path, schema: pa.Schema, declared: pa.Schema, columns: Sequence[str] | None) -> None:
    for name in columns or declared.names:
        if name not in schema.names:
            raise PlumblineError(
                f"{path} was written by another version of Plumbline, or is another file: it has no {name!r}",
                where=str(path),
                expected=", ".join(declared.names),
                found=", ".join(schema.names),
                do=f"build it again: snakemake {path} (what was asked is not asked again)",
            )
        if schema.field(name).type != declared.field(name).type:
            raise PlumblineError(
                f"{path}: column {name!r} has the wrong type",
                where=f"{path}, column {name}",
                expected=str(declared.field(name).type),
                found=str(schema.field(name).type),
            )
