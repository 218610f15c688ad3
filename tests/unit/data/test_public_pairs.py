"""The Arena's and LLMFAO's pairs, from tiny files of their form."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from plumbline.data.loaded import Loaded
from plumbline.data.loader import read_of
from plumbline.models.engines.recorded_columns import Columns, Recorded
from plumbline.records.errors import PlumblineError
from plumbline.sources.archive import SourceFiles, pack
from reading import read_all

ROW = {"model_a": "claude", "model_b": "gemini", "human_winner": "model_b", "judge_pick": "A"}


def turn(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text}]}


def arena_files(rows: list[dict[str, Any]], texts: list[dict[str, Any]]) -> dict[str, bytes]:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(texts), out)
    judged = "data/judge_results/{}_gpt-4o-mini.json"
    return {
        judged.format("pair"): json.dumps(rows).encode(),
        judged.format("bare"): json.dumps([row | {"id": "z"} for row in rows[:1]]).encode(),
        "data/arena_subsets/pair.parquet": out.getvalue(),
    }


def llmfao_files(votes: str) -> dict[str, bytes]:
    pair = {"type": "t", "text": "Say one.", "model_x": 1, "result_x": "one", "model_y": 2, "result_y": "two"}
    pairs = "".join(json.dumps(pair | {"id": number}) + "\n" for number in range(3))
    return {"pairs-crowd.jsonl": pairs.encode(), "crowd-comparisons.csv": f"id,worker,winner\n{votes}".encode()}


def loaded(folder: Path, files: dict[str, bytes], loader: str, subsets: dict[str, str]) -> list[Loaded]:
    pack(folder / "s.zip", files)
    declared = {"source": "s", "loader": loader, "subsets": subsets}
    return read_all(read_of(declared, "here"), SourceFiles(folder / "s.zip"))


ARENA = {"a": "pair", "b": "bare"}


def test_an_arena_pair_has_its_texts_and_one_that_was_not_released_says_so(tmp_path: Path) -> None:
    asked = turn("user", "Why?")
    longer = [asked, turn("assistant", "So."), turn("user", "And?"), turn("assistant", "Thus.")]
    texts = [{"id": "x", "conversation_a": [asked, turn("assistant", "Because.")], "conversation_b": longer}]
    with_texts, bare = loaded(tmp_path, arena_files([ROW | {"id": "x"}], texts), "arena", ARENA)
    assert with_texts.instance.instruction == "Why?"
    assert with_texts.instance.texts == ("Because.", "Assistant: So.\n\nUser: And?\n\nAssistant: Thus.")
    assert [label.word for label in with_texts.labels] == ["second"]
    assert "hold no text" in bare.instance.instruction
    assert bare.instance.texts == ("", "")


def test_an_arena_winner_that_is_none_is_refused(tmp_path: Path) -> None:
    texts = [{"id": "x", "conversation_a": [turn("user", "?")], "conversation_b": [turn("user", "?")]}]
    with pytest.raises(PlumblineError, match="follows it"):
        loaded(tmp_path, arena_files([ROW | {"id": "x"}], texts), "arena", ARENA)
    with pytest.raises(PlumblineError, match="neither model"):
        loaded(tmp_path, arena_files([ROW | {"id": "x", "human_winner": "c"}], []), "arena", {"b": "bare"})


def test_llmfaos_pairs_are_decided_where_one_output_has_the_most_votes(tmp_path: Path) -> None:
    votes = "0,1,left\n0,2,left\n0,3,tie\n1,1,left\n1,2,right\n2,1,right\n2,2,tie\n"
    found = loaded(tmp_path, llmfao_files(votes), "llmfao", {"clear": "decided", "open": "tied"})
    assert {one.instance.key: one.instance.subset for one in found} == {"0": "clear", "1": "open", "2": "open"}
    first = next(one for one in found if one.instance.key == "0")
    assert [(label.rater, label.word) for label in first.labels] == [("1", "first"), ("2", "first"), ("3", "tie")]


def test_a_vote_that_is_off_the_scale_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match="off the scale"):
        loaded(tmp_path, llmfao_files("0,1,both\n"), "llmfao", {"clear": "decided", "open": "tied"})


def test_an_empty_recorded_answer_means_what_the_model_says_and_is_else_refused() -> None:
    row, columns = {"instance": "x", "answer": None}, {"instance": "instance"}
    told = Columns(Recorded(columns=columns, values={"answer": {"": "unparsed"}}))
    assert told.read(row, "here").answers == ("",)
    with pytest.raises(PlumblineError, match="holds no answer"):
        Columns(Recorded(columns=columns)).read(row, "here")
