"""Parquet: a declared schema on both sides, equal bytes for equal rows, and errors with file, row and column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import plumbline.records.parquet
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.records.errors import PlumblineError
from plumbline.records.parquet import count_rows
from plumbline.records.rows import read_records, stream_records, write_records, writing_records


@dataclass(frozen=True)
class Row:
    name: str
    n: int
    value: float | None
    words: tuple[str, ...]


ROW = Row("a", 1, 0.5, ("x",))
rows = st.lists(
    st.builds(
        Row,
        st.text(),
        st.integers(-(2**63), 2**63 - 1),
        st.none() | st.floats(allow_nan=False),
        st.lists(st.text(), max_size=3).map(tuple),
    ),
    max_size=5,
)


def refused(path: Path, *changed: Row) -> str:
    with pytest.raises(PlumblineError) as error:
        write_records(path, Row, [ROW, *changed])
    assert not path.exists()
    return str(error.value)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows")


@given(rows=rows)
def test_rows_come_back_as_they_were(folder: Path, rows: list[Row]) -> None:
    path = folder / "rows.parquet"
    write_records(path, Row, rows)
    assert read_records(path, Row) == rows


def test_equal_rows_make_equal_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_records(tmp_path / name, Row, [ROW] * 1000)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.fixture
def groups_of_four(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plumbline.records.parquet, "ROW_GROUP", 4)


@pytest.mark.usefixtures("groups_of_four")
@pytest.mark.parametrize("count", [0, 3, 4, 9])
def test_rows_added_in_parts_make_the_same_file(tmp_path: Path, count: int) -> None:
    rows = [replace(ROW, n=number) for number in range(count)]
    write_records(tmp_path / "whole", Row, rows)
    with writing_records(tmp_path / "parts", Row) as add:
        for row in rows:
            add([row])
        add([])
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()
    assert pq.ParquetFile(tmp_path / "whole").num_row_groups == max(1, -(-count // 4))
    assert read_records(tmp_path / "whole", Row) == rows
    assert count_rows(tmp_path / "whole") == count


@pytest.mark.usefixtures("groups_of_four")
def test_any_part_of_a_file_can_be_streamed(tmp_path: Path) -> None:
    rows = [replace(ROW, n=number) for number in range(10)]
    write_records(tmp_path / "p", Row, rows)
    for start in range(11):
        for stop in range(start, 11):
            assert list(stream_records(tmp_path / "p", Row, start, stop)) == rows[start:stop]


@pytest.mark.usefixtures("groups_of_four")
def test_a_bad_row_late_in_a_file_is_named_by_its_number_and_leaves_no_file(tmp_path: Path) -> None:
    rows = [ROW] * 9 + [replace(ROW, n="ten")]
    with pytest.raises(PlumblineError, match="row 10, column n"):
        write_records(tmp_path / "p", Row, rows)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("groups_of_four")
def test_damage_met_while_streaming_is_one_message(tmp_path: Path) -> None:
    write_records(tmp_path / "p", Row, [replace(ROW, name=f"{number}" * 50) for number in range(10)])
    data = bytearray((tmp_path / "p").read_bytes())
    middle = pq.ParquetFile(tmp_path / "p").metadata.row_group(1).column(0).data_page_offset
    data[middle : middle + 20] = bytes(20)
    (tmp_path / "p").write_bytes(data)
    with pytest.raises(PlumblineError, match="is not readable as Parquet"):
        list(stream_records(tmp_path / "p", Row))
    (tmp_path / "p").write_bytes(data[:-9])
    with pytest.raises(PlumblineError, match="is not readable as Parquet"):
        next(stream_records(tmp_path / "p", Row))


def test_lone_surrogates_stay_readable_as_escapes(tmp_path: Path) -> None:
    write_records(tmp_path / "p", Row, [replace(ROW, name="a\ud800b€")])
    assert read_records(tmp_path / "p", Row)[0].name == "a\\ud800b€"


def test_lone_surrogates_within_lists_do_not_break_a_file(tmp_path: Path) -> None:
    write_records(tmp_path / "p", Row, [replace(ROW, words=("\udfff",))])
    assert read_records(tmp_path / "p", Row)[0].words == ("\\udfff",)


@pytest.mark.parametrize(
    ("change", "answers"),
    [
        ({"n": "one"}, ["p.parquet, row 2, column n", "expected: int64", "found:    'one'"]),
        ({"n": 2**63}, ["row 2, column n", "int64"]),
        ({"name": 7}, ["row 2, column name", "expected: string", "found:    7"]),
        ({"name": None}, ["row 2, column name", "is empty"]),
        ({"value": "x"}, ["row 2, column value", "expected: double"]),
        ({"words": (1,)}, ["row 2, column words"]),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_file_row_and_column(
    tmp_path: Path, change: dict[str, Any], answers: list[str]
) -> None:
    message = refused(tmp_path / "p.parquet", replace(ROW, **change))
    assert all(words in message for words in answers), message


def test_a_missing_file_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match=r"is missing(.|\n)*build it: snakemake .*p.parquet"):
        read_records(tmp_path / "p.parquet", Row)


@pytest.mark.parametrize("cut", [0, 3, 100, -1])
def test_a_cut_file_is_one_message(tmp_path: Path, cut: int) -> None:
    write_records(tmp_path / "p", Row, [ROW])
    data = (tmp_path / "p").read_bytes()
    (tmp_path / "p").write_bytes(data[:cut])
    with pytest.raises(PlumblineError, match="is not readable as Parquet"):
        read_records(tmp_path / "p", Row)


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"nam": ["a"], "n": [1], "value": [0.5], "words": [["x"]]}), tmp_path / "p")
    with pytest.raises(PlumblineError, match=r"another version of Plumbline.*no 'name'(.|\n)*do:       build it again"):
        read_records(tmp_path / "p", Row)
    pq.write_table(pa.table({"name": ["a"], "n": [1.0], "value": [0.5], "words": [["x"]]}), tmp_path / "p")
    with pytest.raises(PlumblineError, match=r"column 'n' has the wrong type(.|\n)*int64\n  found:    double"):
        read_records(tmp_path / "p", Row)


def test_a_file_in_a_folder_named_like_a_partition_has_no_further_columns(tmp_path: Path) -> None:
    path = tmp_path / "model=x" / "p.parquet"
    write_records(path, Row, [ROW])
    assert read_records(path, Row) == [ROW]
