"""Pools: any file of instructions, every row accounted for."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.config.construct import Pool
from plumbline.derive.material import Side, candidate_of
from plumbline.derive.pools import Item, draw, load_pool, look_up, read_pool, write_pool
from plumbline.records.errors import PlumblineError
from plumbline.sources.archive import SourceFiles, pack

COLUMNS = {"instruction": "ask", "output": "answer"}
ROWS = [{"ask": "Name a sea.", "answer": "The North Sea."}, {"ask": "Name a lake.", "answer": "Lake Constance."}]


def loaded(folder: Path, name: str, data: bytes, **declared: Any) -> list[Item]:
    pack(folder / "source.zip", {name: data})
    return load_pool("mine", Pool("mine", **{"columns": COLUMNS} | declared), SourceFiles(folder / "source.zip"))


def lines(rows: list[Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def reasons(items: list[Item]) -> list[str]:
    return [item.dropped for item in items]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.parquet", "a.jsonl.gz", "lines.json"])
def test_the_same_rows_make_the_same_items_in_every_format(name: str, tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    data = {
        "a.jsonl": lines(ROWS),
        "a.json": json.dumps(ROWS).encode(),
        "a.csv": b"ask,answer\nName a sea.,The North Sea.\nName a lake.,Lake Constance.\n",
        "a.parquet": (tmp_path / "a.parquet").read_bytes(),
        "a.jsonl.gz": gzip.compress(lines(ROWS)),
        "lines.json": lines(ROWS),
    }
    items = loaded(tmp_path, name, data[name])
    assert [(item.instruction, item.output, item.dropped) for item in items] == [
        ("Name a sea.", "The North Sea.", ""),
        ("Name a lake.", "Lake Constance.", ""),
    ]
    assert [item.origin for item in items] == [f"{name}#0", f"{name}#1"]


def test_every_row_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    data = lines(
        [
            {"ask": "Name a sea.", "answer": "The North Sea."},
            {"ask": " name a SEA!", "answer": "Another."},
            {"ask": "", "answer": "x"},
            {"ask": "Say nothing.", "answer": "  "},
            {"ask": "Say null.", "answer": None},
            {"ask": "With a \0 in it", "answer": "x"},
            ["no", "columns"],
        ]
    )
    items = loaded(tmp_path, "a.jsonl", data + b'{"ask": "caf\xe9", "answer": "latin-1"}\n')
    assert reasons(items) == [
        "",
        "repeated instruction",
        "empty instruction",
        "empty output",
        "empty output",
        "bytes that are not text",
        "not a row of columns",
        "bytes that are not text",
    ]


def test_a_column_that_no_row_has_is_a_mistake_and_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match=r"'anser' is missing(.|\n)*did you mean 'answer'"):
        loaded(tmp_path, "a.jsonl", lines(ROWS), columns={"instruction": "ask", "output": "anser"})


def test_a_column_that_some_rows_lack_is_empty_there(tmp_path: Path) -> None:
    rows = [{"ask": "Add.", "more": "1 and 2", "answer": "3"}, {"ask": "Name a sea.", "answer": "The North Sea."}]
    items = loaded(tmp_path, "a.jsonl", lines(rows), columns=COLUMNS | {"input": "more"})
    assert [item.instruction for item in items] == ["Add.\n\n1 and 2", "Name a sea."]


def test_an_input_ends_the_instruction_and_is_kept_apart_too(tmp_path: Path) -> None:
    rows = [{"ask": "Sort it.", "answer": "a b", "more": " b a\n"}, {"ask": "Sing.", "answer": "La.", "more": ""}]
    items = loaded(tmp_path, "a.jsonl", lines(rows), columns=COLUMNS | {"input": "more"})
    assert [(item.instruction, item.input) for item in items] == [("Sort it.\n\nb a", "b a"), ("Sing.", "")]
    kept = candidate_of(items[0], Side("O1", "given"), Side("O2", "given"))
    changed = candidate_of(items[0], Side("O1", "given"), Side("O2", "given"), instruction="Do not sort it.")
    assert (kept.input, changed.input) == ("b a", "")


def test_nested_rows_are_looked_into_by_place_and_by_value() -> None:
    row = {"prompt": {"text": "Hi", "replies": [{"rank": 1, "text": "worse"}, {"rank": 0, "text": "best"}]}}
    assert look_up(row, "prompt.text") == "Hi"
    assert look_up(row, "prompt.replies.0.text") == "worse"
    assert look_up(row, "prompt.replies.rank=0.text") == "best"
    assert look_up(row, "prompt.replies.7.text") is None
    assert look_up(row, "prompt.text.deeper") is None


def test_compared_outputs_keep_their_label_and_an_unknown_label_is_counted(tmp_path: Path) -> None:
    rows = [{"q": f"Question {n}?", "a": f"one {n}", "b": f"two {n}", "best": best} for n, best in enumerate("ABX")]
    columns = {"instruction": "q", "first": "a", "second": "b", "better": "best"}
    items = loaded(tmp_path, "a.jsonl", lines(rows), columns=columns, labels={"A": "first", "B": "second"})
    assert [(item.gold, item.dropped) for item in items] == [
        ("first", ""),
        ("second", ""),
        ("", "no known label"),
    ]


def test_a_pool_of_one_and_a_pool_of_nothing_are_pools(tmp_path: Path) -> None:
    assert len(loaded(tmp_path, "a.jsonl", lines(ROWS[:1]))) == 1
    assert loaded(tmp_path, "a.jsonl", b"") == []


@given(st.lists(st.text(min_size=1), min_size=1, max_size=30, unique=True), st.integers(1, 10), st.integers(0, 99))
def test_what_is_drawn_depends_on_each_item_alone(names: list[str], size: int, seed: int) -> None:
    items = [Item(name, "p", name, "o", "", "", "f#0") for name in names]
    drawn = {item.id for item in draw(items, size, seed) if item.drawn}
    assert len(drawn) == min(size, len(names))
    assert {item.id for item in draw(items[::-1], size, seed) if item.drawn} == drawn
    without_one_undrawn = [item for item in items if item.id in drawn]
    assert {item.id for item in draw(without_one_undrawn, size, seed) if item.drawn} == drawn


def test_items_survive_their_file(tmp_path: Path) -> None:
    items = draw(loaded(tmp_path, "a.jsonl", lines(ROWS)), 1, seed=3)
    write_pool(tmp_path / "pool.parquet", items)
    assert read_pool(tmp_path / "pool.parquet") == items
