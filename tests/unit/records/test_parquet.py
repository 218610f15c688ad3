"""Parquet: a declared schema on both sides, equal bytes for equal rows, and errors with file, row and column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import plumbline.records.parquet
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.records.errors import PlumblineError
from plumbline.records.parquet import count_rows, read_rows, stream_rows, write_rows, writing_rows

SCHEMA = pa.schema(
    [
        pa.field("name", pa.string(), nullable=False),
        pa.field("n", pa.int64(), nullable=False),
        pa.field("value", pa.float64()),
        pa.field("words", pa.list_(pa.string()), nullable=False),
    ]
)
ROW: dict[str, Any] = {"name": "a", "n": 1, "value": 0.5, "words": ["x"]}

rows = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.text(),
            "n": st.integers(-(2**63), 2**63 - 1),
            "value": st.none() | st.floats(allow_nan=False),
            "words": st.lists(st.text(), max_size=3),
        }
    ),
    max_size=5,
)


def refused(path: Path, *changed: dict[str, Any]) -> str:
    with pytest.raises(PlumblineError) as error:
        write_rows(path, [ROW, *changed], SCHEMA)
    assert not path.exists()
    return str(error.value)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows")


@given(rows=rows)
def test_rows_come_back_as_they_were(folder: Path, rows: list[dict[str, Any]]) -> None:
    path = folder / "rows.parquet"
    write_rows(path, rows, SCHEMA)
    assert read_rows(path, SCHEMA) == rows


def test_equal_rows_make_equal_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_rows(tmp_path / name, [ROW] * 1000, SCHEMA)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.fixture
def groups_of_four(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plumbline.records.parquet, "ROW_GROUP", 4)


@pytest.mark.usefixtures("groups_of_four")
@pytest.mark.parametrize("count", [0, 3, 4, 9])
def test_rows_added_in_parts_make_the_same_file(tmp_path: Path, count: int) -> None:
    rows = [ROW | {"n": number} for number in range(count)]
    write_rows(tmp_path / "whole", rows, SCHEMA)
    with writing_rows(tmp_path / "parts", SCHEMA) as writer:
        for row in rows:
            writer.add([row])
        writer.add([])
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()
    assert pq.ParquetFile(tmp_path / "whole").num_row_groups == max(1, -(-count // 4))
    assert read_rows(tmp_path / "whole", SCHEMA) == rows
    assert count_rows(tmp_path / "whole") == count


@pytest.mark.usefixtures("groups_of_four")
def test_any_part_of_a_file_can_be_streamed(tmp_path: Path) -> None:
    rows = [ROW | {"n": number} for number in range(10)]
    write_rows(tmp_path / "p", rows, SCHEMA)
    for start in range(11):
        for stop in range(start, 11):
            assert list(stream_rows(tmp_path / "p", SCHEMA, None, start, stop)) == rows[start:stop]
    assert list(stream_rows(tmp_path / "p", SCHEMA, ["n"])) == [{"n": number} for number in range(10)]


@pytest.mark.usefixtures("groups_of_four")
def test_a_bad_row_late_in_a_file_is_named_by_its_number_and_leaves_no_file(tmp_path: Path) -> None:
    rows = [ROW] * 9 + [ROW | {"n": "ten"}]
    with pytest.raises(PlumblineError, match="row 10, column n"):
        write_rows(tmp_path / "p", rows, SCHEMA)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("groups_of_four")
def test_damage_met_while_streaming_is_one_message(tmp_path: Path) -> None:
    write_rows(tmp_path / "p", [ROW | {"name": f"{number}" * 50} for number in range(10)], SCHEMA)
    data = bytearray((tmp_path / "p").read_bytes())
    middle = pq.ParquetFile(tmp_path / "p").metadata.row_group(1).column(0).data_page_offset
    data[middle : middle + 20] = bytes(20)
    (tmp_path / "p").write_bytes(data)
    with pytest.raises(PlumblineError, match="is not readable as Parquet"):
        list(stream_rows(tmp_path / "p", SCHEMA))
    (tmp_path / "p").write_bytes(data[:-9])
    with pytest.raises(PlumblineError, match="is not readable as Parquet"):
        next(stream_rows(tmp_path / "p", SCHEMA))


def test_lone_surrogates_stay_readable_as_escapes(tmp_path: Path) -> None:
    write_rows(tmp_path / "p", [ROW | {"name": "a\ud800b€"}], SCHEMA)
    assert read_rows(tmp_path / "p", SCHEMA)[0]["name"] == "a\\ud800b€"


def test_lone_surrogates_within_lists_do_not_break_a_file(tmp_path: Path) -> None:
    write_rows(tmp_path / "p", [ROW | {"words": ["\udfff"]}], SCHEMA)
    assert read_rows(tmp_path / "p", SCHEMA)[0]["words"] == ["\\udfff"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n": "one"}, ["p.parquet, row 2, column n", "expected: int64", "found:    'one'"]),
        ({"n": 2**63}, ["row 2, column n", "int64"]),
        ({"name": 7}, ["row 2, column name", "expected: string", "found:    7"]),
        ({"name": None}, ["row 2, column name", "is empty"]),
        ({"value": "x"}, ["row 2, column value", "expected: double"]),
        ({"words": [1]}, ["row 2, column words"]),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_file_row_and_column(
    tmp_path: Path, change: dict[str, Any], said: list[str]
) -> None:
    message = refused(tmp_path / "p.parquet", ROW | change)
    assert all(words in message for words in said), message


def test_a_row_that_lacks_a_column_is_refused(tmp_path: Path) -> None:
    assert "lacks the column 'n'" in refused(tmp_path / "p.parquet", {"name": "a"})


def test_a_missing_file_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match=r"is missing(.|\n)*build it: snakemake .*p.parquet"):
        read_rows(tmp_path / "p.parquet", SCHEMA)


@pytest.mark.parametrize("cut", [0, 3, 100, -1])
def test_a_cut_file_is_one_message(tmp_path: Path, cut: int) -> None:
    write_rows(tmp_path / "p", [ROW], SCHEMA)
    data = (tmp_path / "p").read_bytes()
    (tmp_path / "p").write_bytes(data[:cut])
    with pytest.raises(PlumblineError, match="is not readable as Parquet"):
        read_rows(tmp_path / "p", SCHEMA)


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"nam": ["a"], "n": [1], "value": [0.5], "words": [["x"]]}), tmp_path / "p")
    with pytest.raises(PlumblineError, match=r"another version of Plumbline.*no 'name'(.|\n)*do:       build it again"):
        read_rows(tmp_path / "p", SCHEMA)
    pq.write_table(pa.table({"name": ["a"], "n": [1.0], "value": [0.5], "words": [["x"]]}), tmp_path / "p")
    with pytest.raises(PlumblineError, match=r"column 'n' has the wrong type(.|\n)*int64\n  found:    double"):
        read_rows(tmp_path / "p", SCHEMA)


def test_a_file_in_a_folder_named_like_a_partition_has_no_further_columns(tmp_path: Path) -> None:
    path = tmp_path / "model=x" / "p.parquet"
    write_rows(path, [ROW], SCHEMA)
    assert read_rows(path, SCHEMA) == [ROW]
