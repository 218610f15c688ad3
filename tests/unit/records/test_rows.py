"""Dataclasses as rows of Parquet: there and back, with the schema derived from the class."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.records.rows import read_records, shape_of, stream_records, write_records


@dataclass(frozen=True)
class Inner:
    word: str | None
    number: float | None


@dataclass(frozen=True)
class Outer:
    name: str
    kind: Literal["a", "b"]
    count: int
    ready: bool
    said: Inner
    parts: tuple[Inner, ...]
    context: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    logs: Mapping[str, float] = field(default_factory=dict)
    note: str | None = None
    nested: tuple[tuple[Inner, ...], ...] = ()
    others: tuple[Inner, ...] | None = None
    names: Mapping[str, str] | None = None


inners = st.builds(Inner, st.none() | st.text(), st.none() | st.floats(allow_nan=False))
outers = st.builds(
    Outer,
    st.text(),
    st.sampled_from(["a", "b"]),
    st.integers(-(2**63), 2**63 - 1),
    st.booleans(),
    inners,
    st.lists(inners, max_size=3).map(tuple),
    st.dictionaries(st.text(), st.lists(st.text(), max_size=2).map(tuple), max_size=2),
    st.dictionaries(st.text(), st.floats(allow_nan=False), max_size=2),
    st.none() | st.text(),
    st.lists(st.lists(inners, max_size=2).map(tuple), max_size=2).map(tuple),
    st.none() | st.lists(inners, max_size=2).map(tuple),
    st.none() | st.dictionaries(st.text(), st.text(), max_size=2),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


@given(records=st.lists(outers, max_size=4))
def test_records_come_back_as_they_were(folder: Path, records: list[Outer]) -> None:
    write_records(folder / "records.parquet", Outer, records)
    assert read_records(folder / "records.parquet", Outer) == records


@given(records=st.lists(outers, min_size=1, max_size=9), times=st.integers(1, 200), data=st.data())
def test_any_part_of_a_file_is_read_as_it_was_written(
    folder: Path, records: list[Outer], times: int, data: st.DataObject
) -> None:
    written = records * times
    write_records(folder / "records.parquet", Outer, written)
    start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(written))] * 2)))
    assert list(stream_records(folder / "records.parquet", Outer, start, stop)) == written[start:stop]


def test_nought_and_minus_nought_stay_two(tmp_path: Path) -> None:
    signs = [0.0, -0.0, 0.0]
    written = [Outer("a", "a", 1, True, Inner(None, number), ()) for number in signs]
    write_records(tmp_path / "signs.parquet", Outer, written)
    read = read_records(tmp_path / "signs.parquet", Outer)
    assert [math.copysign(1, float(str(one.said.number))) for one in read] == [1, -1, 1]


def test_a_record_inside_a_record_is_columns_and_inside_a_tuple_a_struct() -> None:
    schema = shape_of(Outer).schema
    assert schema.field("said_word") == pa.field("said_word", pa.string())
    assert pa.types.is_struct(schema.field("parts").type.value_type)
    assert [column.name for column in schema if column.nullable] == [
        *("said_word", "said_number"),
        *("note", "others", "names"),
    ]


def test_a_type_that_no_column_holds_is_refused() -> None:
    @dataclass(frozen=True)
    class Odd:
        when: complex

    with pytest.raises(TypeError, match=r"Odd\.when: no column can hold"):
        shape_of(Odd)


def test_a_lone_surrogate_is_kept_readable_wherever_it_stands(tmp_path: Path) -> None:
    odd = Outer("a", "a", 1, True, Inner("\ud800", None), (Inner("\ud800", 1.0),), {"\ud800": ("\ud800",)}, {}, None)
    write_records(tmp_path / "odd.parquet", Outer, [odd])
    (back,) = read_records(tmp_path / "odd.parquet", Outer)
    assert back.said.word == back.parts[0].word == back.context["\\ud800"][0] == "\\ud800"
