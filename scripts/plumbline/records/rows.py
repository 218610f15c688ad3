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
from itertools import accumulate, chain, pairwise
from operator import attrgetter, sub
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
Write = Callable[[Values], Values]
"""The values of a field in many records, as those of a column."""
Read = Callable[[pa.Array], Values]
"""And back. A column is read as a whole: of a list of structs, all structs at once."""


@dataclass(frozen=True)
class Field:
    """One field of a record: the columns it takes, and how its values become theirs and come back."""

    name: str
    columns: tuple[pa.Field, ...]
    write: Callable[[Values], Sequence[Values]]
    """The values of the field in many records → the values of each of its columns."""
    read: Callable[[Sequence[pa.Array]], Values]


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

    def values(self, columns: Mapping[str, pa.Array]) -> list[Values]:
        """The values of each field."""
        return [field.read([columns[column.name] for column in field.columns]) for field in self.fields]

    def records(self, columns: Mapping[str, pa.Array]) -> list[Record]:
        return list(map(self.kind, *self.values(columns)))

    def shared_records(self, columns: Mapping[str, pa.Array]) -> list[Record]:
        """The same, where many are equal: each is made once. With floats none is, as 0 and -0 are equal and two."""
        if any(pa.types.is_floating(each.type) and each.null_count < len(each) for each in columns.values()):
            return self.records(columns)
        rows = list(zip(*self.values(columns), strict=True))
        made = {row: self.kind(*row) for row in set(rows)}
        return [made[row] for row in rows]


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
    return shape.records({name: table.column(name).combine_chunks() for name in shape.schema.names})


def _field(owner: type, name: str, hint: Any) -> Field:
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _flattened(name, shape_of(hint))
    inner, optional = _optional(hint)
    column, write, read = _column(owner, name, inner)
    return Field(
        name,
        (pa.field(name, column, nullable=optional),),
        lambda values: [values if write is None else _where_there(write, values)],
        lambda columns: read(columns[0]),
    )


def _flattened(name: str, inner: Shape[Any]) -> Field:
    columns = tuple(column.with_name(f"{name}_{column.name}") for column in inner.schema)
    names = inner.schema.names
    return Field(
        name,
        columns,
        lambda values: list(inner.columns(values).values()),
        lambda columns: inner.shared_records(dict(zip(names, columns, strict=True))),
    )


def _optional(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) in (Union, UnionType):
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        if len(kinds) == 1:
            return kinds[0], True
    return hint, False


def _where_there(change: Write, values: Values) -> Values:
    """What becomes of values some of which may be missing."""
    if all(value is not None for value in values):
        return change(values)
    changed = iter(change([value for value in values if value is not None]))
    return [None if value is None else next(changed) for value in values]


def _column(owner: type, name: str, hint: Any) -> tuple[pa.DataType, Write | None, Read]:
    """The type of a column, and what its values go through on the way in, unless they stay as they are, and out."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint], None, pa.Array.to_pylist
    if origin is Literal and all(isinstance(word, str) for word in arguments):
        return pa.string(), None, pa.Array.to_pylist
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _struct(shape_of(hint))
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return _list(*_column(owner, name, arguments[0]))
    if isinstance(origin, type) and issubclass(origin, Mapping) and arguments[0] is str:
        return _map(*_column(owner, name, arguments[1]))
    raise TypeError(f"{owner.__name__}.{name}: no column can hold {hint}")


def _struct(shape: Shape[Any]) -> tuple[pa.DataType, Write, Read]:
    def write(records: Values) -> Values:
        columns = shape.columns(records)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def read(column: pa.StructArray) -> Values:
        there = column.drop_null()
        records = shape.records(dict(zip(shape.schema.names, there.flatten(), strict=True)))
        return _with_gaps(column, records)

    return pa.struct(shape.schema), write, read


def _list(item: pa.DataType, write_items: Write | None, read_items: Read) -> tuple[pa.DataType, Write, Read]:
    def write(values: Values) -> Values:
        if write_items is None:
            return list(map(list, values))
        return _parted(list, write_items(list(chain.from_iterable(values))), map(len, values))

    def read(column: pa.ListArray) -> Values:
        there = column.drop_null()
        return _with_gaps(column, _parted(tuple, read_items(there.flatten()), there.value_lengths().to_pylist()))

    return pa.list_(item), write, read


def _map(item: pa.DataType, write_items: Write | None, read_items: Read) -> tuple[pa.DataType, Write, Read]:
    def write(values: Values) -> Values:
        pairs = [list(value.items()) for value in values]
        if write_items is None:
            return pairs
        keys = [[key for key, _ in each] for each in pairs]
        items = write_items([item for each in pairs for _, item in each])
        return [list(zip(*both, strict=True)) for both in zip(keys, _parted(list, items, map(len, pairs)), strict=True)]

    def read(column: pa.MapArray) -> Values:
        there = column.drop_null()
        offsets = there.offsets.to_pylist()
        begin, end = offsets[0], offsets[-1]
        pairs = list(zip(there.keys[begin:end].to_pylist(), read_items(there.items[begin:end]), strict=True))
        return _with_gaps(column, _parted(dict, pairs, map(sub, offsets[1:], offsets)))

    return pa.map_(pa.string(), item), write, read


def _parted(kind: Callable[[Values], Any], items: Values, lengths: Iterable[int]) -> Values:
    """Items in parts of these lengths."""
    if not items:
        return [kind(()) for _ in lengths]
    ends = list(accumulate(lengths))
    return [kind(items[begin:end]) for begin, end in pairwise([0, *ends])]


def _with_gaps(column: pa.Array, values: Values) -> Values:
    """The values that are there, and nothing where the column has none."""
    if not column.null_count:
        return values
    there = iter(values)
    return [next(there) if valid else None for valid in column.is_valid().to_pylist()]
