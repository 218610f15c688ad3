"""Rows of Parquet as dataclasses: the file's schema is derived from the class, so the two cannot disagree.

A record inside a record becomes columns of its own (`as_published: Outcome` gives `as_published_word`, …); inside a
tuple it becomes a struct. A field that is `X | None` may be empty, every other may not.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import pyarrow as pa

from plumbline.records.parquet import stream_tables, writing_rows

Record = TypeVar("Record")
Values = Sequence[Any]
AT_ONCE = 512
"""So many records are in memory of a file that is read as they are taken: many files may be read side by side."""
PLAIN: dict[Any, pa.DataType] = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}


@dataclass(frozen=True)
class Field:
    """One field of a record: the columns it takes, and how its values become theirs and come back."""

    name: str
    columns: tuple[pa.Field, ...]
    write: Callable[[Values], Sequence[Values]]
    """The values of the field in many records → the values of each of its columns."""
    read: Callable[[Sequence[Values]], Values]


@dataclass(frozen=True)
class Shape(Generic[Record]):
    """The columns of a dataclass, and the way there and back, many records at a time."""

    kind: type[Record]
    fields: tuple[Field, ...]

    @cached_property
    def schema(self) -> pa.Schema:
        return pa.schema([column for field in self.fields for column in field.columns])

    def columns(self, records: Sequence[Record]) -> dict[str, Values]:
        columns: dict[str, Values] = {}
        for field in self.fields:
            values = list(map(attrgetter(field.name), records))
            columns |= zip([column.name for column in field.columns], field.write(values), strict=True)
        return columns

    def records(self, columns: Mapping[str, Values]) -> list[Record]:
        values = [field.read([columns[column.name] for column in field.columns]) for field in self.fields]
        return list(map(self.kind, *values))


def shape_of(kind: type[Record]) -> Shape[Record]:
    """The shape of a dataclass; a field of a type that no column can hold is refused."""
    known = SHAPES.get(kind)
    if known is None:
        hints = get_type_hints(kind)
        fields = [_field(kind, field.name, hints[field.name]) for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
        known = SHAPES[kind] = Shape(kind, tuple(fields))
    return known


SHAPES: dict[type, Shape[Any]] = {}


def write_records(path: Path, kind: type[Record], records: Iterable[Record]) -> None:
    """Write records in the order given, as they come; equal records give equal bytes."""
    with writing_records(path, kind) as add:
        add(records)


@contextmanager
def writing_records(path: Path, kind: type[Record]) -> Iterator[Callable[[Iterable[Record]], None]]:
    """Records can be added in parts: how they are parted does not show in the file."""
    shape = shape_of(kind)
    with writing_rows(path, shape.schema, shape.columns) as writer:
        yield writer.add


def read_records(path: Path, kind: type[Record]) -> list[Record]:
    return list(stream_records(path, kind))


def stream_records(path: Path, kind: type[Record], start: int = 0, stop: int | None = None) -> Iterator[Record]:
    """The records from `start` to before `stop`, read as they are taken; columns that the class lacks are not read."""
    shape = shape_of(kind)
    for table in stream_tables(path, shape.schema, shape.schema.names, start, stop):
        for first in range(0, table.num_rows, AT_ONCE):
            yield from records_of(table.slice(first, AT_ONCE), kind)


def records_of(table: pa.Table, kind: type[Record]) -> list[Record]:
    shape = shape_of(kind)
    return shape.records({name: table.column(name).to_pylist() for name in shape.schema.names})


def _field(owner: type, name: str, hint: Any) -> Field:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _flattened(name, shape_of(hint))
    inner, optional = _optional(hint)
    column, write, read = _column(owner, name, inner)
    return Field(
        name,
        (pa.field(name, column, nullable=optional),),
        lambda values: [_changed(write, values)],
        lambda columns: _changed(read, columns[0]),
    )


def _flattened(name: str, inner: Shape[Any]) -> Field:
    columns = tuple(column.with_name(f"{name}_{column.name}") for column in inner.schema)
    names = inner.schema.names
    return Field(
        name,
        columns,
        lambda values: list(inner.columns(values).values()),
        lambda columns: inner.records(dict(zip(names, columns, strict=True))),
    )


def _optional(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) in (Union, UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        if len(kinds) == 1:
            return kinds[0], True
    return hint, False


Change = Callable[[Any], Any] | None
"""What a value goes through on its way into a column or out of it; nothing where it stays as it is."""


def _changed(change: Change, values: Values) -> Values:
    return values if change is None else [None if value is None else change(value) for value in values]


def _column(owner: type, name: str, hint: Any) -> tuple[pa.DataType, Change, Change]:
    """The type of a column, and what its values go through on the way in and out."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint], None, None
    if origin is Literal and all(isinstance(word, str) for word in arguments):
        return pa.string(), None, None
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _struct(shape_of(hint))
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        item, write, read = _column(owner, name, arguments[0])
        return pa.list_(item), (lambda v: _changed(write, v)) if write else list, lambda v: tuple(_changed(read, v))
    if isinstance(origin, type) and issubclass(origin, Mapping) and arguments[0] is str:
        item, write, read = _column(owner, name, arguments[1])
        return (
            pa.map_(pa.string(), item),
            lambda v: list(zip(v, _changed(write, list(v.values())), strict=True)),
            lambda v: dict(v) if read is None else {key: read(x) for key, x in v},
        )
    raise TypeError(f"{owner.__name__}.{name}: no column can hold {hint}")


def _struct(shape: Shape[Any]) -> tuple[pa.DataType, Change, Change]:
    def write(record: Any) -> dict[str, Any]:
        return {name: values[0] for name, values in shape.columns([record]).items()}

    def read(row: Mapping[str, Any]) -> Any:
        return shape.records({name: [value] for name, value in row.items()})[0]

    return pa.struct(shape.schema), write, read
