"""Instances: every format of a source into one schema, and ids that are made of content alone."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rebuilt
from hypothesis import given
from hypothesis import strategies as st
from plumbline import schema
from plumbline.archive import SourceFiles, pack
from plumbline.config import Resolved
from plumbline.errors import PlumblineError
from plumbline.instances import Pair, PairFile, content_id, identified, read_pairs, write_pairs
from plumbline.loaders import load

ROWS = [
    {"subset": "a", "instruction": "Say one.", "output_1": "one", "output_2": "two", "better": 1},
    {"subset": "b", "instruction": "Say two.", "output_1": "one", "output_2": "two", "better": 2},
    {"subset": "a", "instruction": 'Say six, or "6",\nor VI.', "output_1": "sex", "output_2": "6", "better": 2},
]
texts = st.text(st.characters(exclude_categories=()), max_size=9)


def csv_of(rows: list[dict[str, Any]]) -> bytes:
    quoted = lambda value: '"' + str(value).replace('"', '""') + '"'  # noqa: E731
    lines = [",".join(rows[0]), *(",".join(map(quoted, row.values())) for row in rows)]
    return ("\ufeff" + "\n".join(lines) + "\n").encode()


def parquet_of(rows: list[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


def jsonl_of(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def loaded(folder: Path, files: dict[str, bytes], loader: str = "pairs", **settings: Any) -> list[Pair]:
    pack(folder / "s.zip", files)
    declared = {"source": "s", "loader": loader, "subsets": {"a": "A", "b": "B"}} | settings
    return list(load(schema.Benchmark(**declared), SourceFiles(folder / "s.zip")))


def refused(folder: Path, files: dict[str, bytes], **settings: Any) -> str:
    with pytest.raises(PlumblineError) as error:
        loaded(folder, files, **settings)
    return str(error.value)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("p.jsonl", jsonl_of(ROWS)),
        ("p.json", json.dumps(ROWS).encode()),
        ("p.csv", csv_of(ROWS)),
        ("p.parquet", parquet_of(ROWS)),
        ("blank-lines.jsonl", jsonl_of(ROWS).replace(b"\n", b"\n\n")),
    ],
)
def test_one_file_of_pairs_reads_the_same_in_every_format(tmp_path: Path, name: str, data: bytes) -> None:
    pairs = loaded(tmp_path, {name: data})
    assert [(p.subset, p.instruction, p.first, p.second, p.gold) for p in pairs] == [
        ("a", "Say one.", "one", "two", "first"),
        ("a", 'Say six, or "6",\nor VI.', "sex", "6", "second"),
        ("b", "Say two.", "one", "two", "second"),
    ]
    assert [p.origin for p in pairs] == [f"{name}#0", f"{name}#2", f"{name}#1"]


def test_the_authors_folders_are_read_subset_by_subset(tmp_path: Path) -> None:
    rows = [{"input": "I", "output_1": "x", "output_2": "y", "label": label} for label in (1, 2)]
    data = json.dumps(rows).encode()
    pairs = loaded(tmp_path, {"A/dataset.json": data, "B/dataset.json": data}, loader="llmbar")
    assert [(p.subset, p.gold, p.origin) for p in pairs] == [
        ("a", "first", "A/dataset.json#0"),
        ("a", "second", "A/dataset.json#1"),
        ("b", "first", "B/dataset.json#0"),
        ("b", "second", "B/dataset.json#1"),
    ]


@pytest.mark.parametrize("label", ["1", 1, "first"])
def test_the_better_output_may_be_called_in_several_ways(tmp_path: Path, label: str | int) -> None:
    rows = [row | {"better": label} for row in ROWS]
    assert {pair.gold for pair in loaded(tmp_path, {"p.jsonl": jsonl_of(rows)})} == {"first"}


def test_a_limit_takes_the_first_of_each_subset(tmp_path: Path) -> None:
    pairs = loaded(tmp_path, {"p.jsonl": jsonl_of(ROWS)}, limit=1)
    assert [(p.subset, p.instruction) for p in pairs] == [("a", "Say one."), ("b", "Say two.")]


# what is malformed


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"output_2": None}, ["p.jsonl, row 2", "'output_2' holds no text", "found:    None"]),
        ({"output_1": 7}, ["p.jsonl, row 2", "'output_1'", "found:    7"]),
        ({"instruction": ["x"]}, ["row 2", "'instruction'"]),
        ({"better": 3}, ["p.jsonl, row 2, key better", "label 3", "expected: 1 or 2"]),
        ({"better": None}, ["p.jsonl, row 2, key better"]),
        ({"better": True}, ["p.jsonl, row 2, key better"]),
    ],
)
def test_a_malformed_row_is_named_with_file_row_and_key(
    tmp_path: Path, change: dict[str, Any], said: list[str]
) -> None:
    rows = [ROWS[0], ROWS[1] | change, ROWS[2]]
    message = refused(tmp_path, {"p.jsonl": jsonl_of(rows)})
    assert all(words in message for words in said), message


def test_a_misnamed_column_is_answered_with_the_nearest(tmp_path: Path) -> None:
    row = {"outputt_2" if name == "output_2" else name: value for name, value in ROWS[0].items()}
    message = refused(tmp_path, {"p.jsonl": jsonl_of([row])})
    assert "found:    nothing" in message and "did you mean 'outputt_2'?" in message


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("p.jsonl", jsonl_of(ROWS)[:-20], "p.jsonl, line 3"),
        ("p.jsonl", b'{"subset": "a\xff"}', "p.jsonl, line 1"),
        ("p.jsonl", b"[1, 2]\n", "p.jsonl, row 1"),
        ("p.json", json.dumps(ROWS).encode()[:-9], "p.json, line 1"),
        ("p.csv", csv_of(ROWS).replace(b"one", b"\xff\xfe"), "p.csv"),
        ("p.parquet", parquet_of(ROWS)[:-9], "p.parquet"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_place(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    assert said in refused(tmp_path, {name: data})


def test_a_data_set_that_is_no_list_is_refused(tmp_path: Path) -> None:
    message = refused(tmp_path, {"A/dataset.json": b"{}", "B/dataset.json": b"[]"}, loader="llmbar")
    assert "not a list" in message and "A/dataset.json" in message


def test_a_subset_without_instances_names_the_nearest_that_has_some(tmp_path: Path) -> None:
    rows = [row | {"subset": {"a": "plain", "b": "tricky"}[row["subset"]]} for row in ROWS]
    message = refused(tmp_path, {"p.jsonl": jsonl_of(rows)}, subsets={"plain": "", "trick": ""})
    assert "the subset 'trick' has no instances" in message and "did you mean 'tricky'?" in message
    empty = refused(tmp_path, {"A/dataset.json": b"[]"}, loader="llmbar", subsets={"a": "A"})
    assert "the subset 'a' has no instances" in empty and "A/dataset.json" in empty


@pytest.mark.parametrize(
    ("name", "data"),
    [("p.jsonl", b""), ("p.jsonl", b"\n\n"), ("p.json", b"[]"), ("p.csv", b"instruction,output_1\n"), ("p.csv", b"")],
)
def test_a_file_without_rows_is_refused_in_one_message(tmp_path: Path, name: str, data: bytes) -> None:
    message = refused(tmp_path, {name: data})
    assert message.startswith(f"{name} holds no rows") and "expected: one row for each pair" in message


def test_rows_of_a_subset_that_the_benchmark_does_not_name_are_counted_with_the_nearest_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [*ROWS, *[ROWS[0] | {"subset": "bb"}] * 2, ROWS[0] | {"subset": "far\n\x1b[2J"}]
    assert len(loaded(tmp_path, {"p.jsonl": jsonl_of(rows)})) == 3
    first, second = (record.getMessage() for record in caplog.records if record.levelname == "WARNING")
    assert first == "2 rows are left out: the benchmark has no subset 'bb' (did you mean 'b'?), p.jsonl"
    assert second == "1 row is left out: the benchmark has no subset 'far\\n\\x1b[2J' (known: a, b), p.jsonl"


def test_a_limit_hides_no_row_that_is_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows = [*ROWS, ROWS[0] | {"subset": "c"}]
    assert len(loaded(tmp_path, {"p.jsonl": jsonl_of(rows)}, limit=1)) == 2
    assert "1 row is left out" in caplog.text


def test_many_unknown_subsets_are_summed_up(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rows = [*ROWS, *(ROWS[0] | {"subset": f"x{n:02}"} for n in range(30))]
    loaded(tmp_path, {"p.jsonl": jsonl_of(rows)})
    warnings = [record.getMessage() for record in caplog.records]
    assert len(warnings) == 6 and warnings[-1] == "25 rows of 25 more unknown subsets are left out, p.jsonl"


def test_where_each_row_has_a_known_subset_nothing_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    loaded(tmp_path, {"p.jsonl": jsonl_of(ROWS)})
    assert not caplog.records


@pytest.mark.parametrize("blank", [None, ""])
def test_a_row_without_a_subset_belongs_to_the_first(tmp_path: Path, blank: str | None) -> None:
    rows = [{name: value for name, value in row.items() if name != "subset"} for row in ROWS]
    rows[2]["subset"] = blank
    assert [pair.subset for pair in loaded(tmp_path, {"p.jsonl": jsonl_of(rows)}, subsets={"one": ""})] == ["one"] * 3


@pytest.mark.parametrize(
    ("name", "data"),
    [("p.jsonl", jsonl_of([*ROWS, {}])), ("p.csv", csv_of([*ROWS, ROWS[0] | {"better": 9}]))],
)
def test_rows_are_read_as_they_are_taken(tmp_path: Path, name: str, data: bytes) -> None:
    pack(tmp_path / "s.zip", {name: data})
    pairs = load(schema.Benchmark("pairs", {"a": ""}, "s"), SourceFiles(tmp_path / "s.zip"))
    assert next(pairs).instruction == "Say one."  # and only now would the last row be looked at
    with pytest.raises(PlumblineError, match="row 4"):
        list(load(schema.Benchmark("pairs", {"a": ""}, "s"), SourceFiles(tmp_path / "s.zip")))


# ids


@given(texts, texts, texts)
def test_an_id_is_the_contents_and_no_two_contents_share_one(one: str, two: str, three: str) -> None:
    assert content_id(one, two, three) == content_id(one, two, three)
    assert content_id(one, two + "x", three) != content_id(one, two, "x" + three)
    assert content_id(one + two, three) != content_id(one, two + three) or not two


def test_ids_do_not_depend_on_where_a_pair_stands() -> None:
    pairs = [Pair("", "s", f"I{n}", "a", "b", "first", f"f#{n}") for n in range(3)]
    forward, backward = list(identified(pairs)), list(identified(reversed(pairs)))
    assert {p.instruction: p.id for p in forward} == {p.instruction: p.id for p in backward}


def test_repeated_content_is_numbered() -> None:
    same = [Pair("", "s", "I", "a", "b", "first", f"f#{n}") for n in range(3)]
    first, second, third = (pair.id for pair in identified(same))
    assert (second, third) == (f"{first}-2", f"{first}-3")


def test_pairs_come_back_from_their_file_as_they_were(tmp_path: Path) -> None:
    pairs = list(identified([Pair("", "s", "I\n\0\x1b€", "", " ", "second", "f#0")]))
    write_pairs(tmp_path / "pairs.parquet", pairs)
    assert read_pairs(tmp_path / "pairs.parquet") == pairs


def test_the_shards_of_a_file_make_its_whole(tmp_path: Path) -> None:
    pairs = list(identified(Pair("", "s", f"I{n}", "a", "b", "first", f"f#{n}") for n in range(10)))
    write_pairs(tmp_path / "pairs.parquet", pairs)
    whole = PairFile.whole(tmp_path / "pairs.parquet")
    assert (len(whole), list(whole)) == (10, pairs)
    for count in (1, 3, 10, 12):
        shards = [whole.shard(f"{number}-of-{count}") for number in range(1, count + 1)]
        assert [pair for shard in shards for pair in shard] == pairs
        assert [len(shard) for shard in shards] == [len(list(shard)) for shard in shards]


# the real ones


def test_the_embedded_benchmark_has_60_pairs_and_more_over_four_subsets_with_reasons(
    papers: Resolved, tmp_path: Path
) -> None:
    data = (rebuilt.CONFIG / "benchmark" / "demo.jsonl").read_bytes()
    pack(tmp_path / "demo.zip", {"demo.jsonl": data})
    declared = papers.config.benchmark["demo"]
    source = SourceFiles(tmp_path / "demo.zip")
    everything, judged = list(load(replace(declared, limit=0), source)), list(load(declared, source))
    assert len(everything) >= 60 and len(judged) == 32
    for pairs in (everything, judged):
        assert {pair.subset for pair in pairs} == {"plain", "near_miss", "polished", "trap"}
        firsts = sum(pair.gold == "first" for pair in pairs)
        assert abs(firsts - len(pairs) / 2) <= len(pairs) / 8  # always taking the first gains nothing
    assert all(json.loads(line)["why"].endswith(".") for line in data.splitlines())
