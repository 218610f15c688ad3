"""Dataclasses as rows of Parquet: there and back, with the schema derived from the class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.records.rows import read_records, shape_of, write_records


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
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


@given(records=st.lists(outers, max_size=4))
def test_records_come_back_as_they_were(folder: Path, records: list[Outer]) -> None:
    write_records(folder / "records.parquet", Outer, records)
    assert read_records(folder / "records.parquet", Outer) == records


def test_a_record_inside_a_record_is_columns_and_inside_a_tuple_a_struct() -> None:
    schema = shape_of(Outer).schema
    assert schema.field("said_word") == pa.field("said_word", pa.string())
    assert pa.types.is_struct(schema.field("parts").type.value_type)
    assert [column.name for column in schema if column.nullable] == ["said_word", "said_number", "note"]


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
