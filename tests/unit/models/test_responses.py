"""Responses that a system wrote elsewhere: found by instruction, and what is wrong with a file is said."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from plumbline.data.instances import identified, pair
from plumbline.models.asking import CallPlace, Completion, Message, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines.responses import ResponsesModel, Settings, open_engine
from plumbline.records.errors import PlumblineError
from plumbline.sources.archive import pack
from plumbline.sources.source import files_below

INSTANCES = list(identified([pair(f"Say {number}.", "", "", origin=f"f#{number}") for number in range(4)]))
Rows = Sequence[Mapping[str, object]]


def row(number: int, output: object = "") -> dict[str, object]:
    return {"instruction": f"Say {number}.", "output": output or f"It says {number}.", "generator": "mine"}


def responses(folder: Path, rows: Rows, **options: str) -> list[Completion]:
    data = "".join(json.dumps(each) + "\n" for each in rows).encode()
    return opened(folder, {"mine.jsonl": data}, **options)


def opened(folder: Path, files: Mapping[str, bytes], **options: str) -> list[Completion]:
    pack(folder / "source.zip", files)
    model = ResponsesModel(label="Mine", engine="responses", source="mine", **options)
    engine = open_engine(
        model, Settings(kind="responses"), EngineContext([folder / "source.zip"], INSTANCES, 1, folder)
    )
    asked = Request((Message("user", "whatever is asked"),))

    async def ask() -> list[Completion]:
        places = [CallPlace(one.id, "write:response@bare", "response", "none") for one in INSTANCES]
        return [await engine.answer(asked, place) for place in places]

    return asyncio.run(ask())


def test_a_response_is_found_by_its_instruction_whatever_the_order(tmp_path: Path) -> None:
    made = responses(tmp_path, [row(number) for number in (3, 1, 0, 2)])
    assert [one.text for one in made] == [f"It says {number}." for number in range(4)]


def test_one_that_is_missing_and_one_of_two_are_no_text(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        made = responses(tmp_path, [row(0), row(1), row(1, "Something else."), row(3), row(3)])
    assert [(one.text, one.finish) for one in made] == [
        ("It says 0.", "stop"),
        ("", "ambiguous"),
        ("", "unanswered"),
        ("It says 3.", "stop"),
    ]
    assert "1 of 4 instructions have no response, e.g. f#2: 'Say 2.'" in caplog.text
    assert "1 of 4 instructions have two responses that differ" in caplog.text


def test_other_versions_of_the_instructions_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    others = [{"instruction": f"Please say {number}", "output": "x"} for number in range(2)]
    with caplog.at_level(logging.WARNING):
        responses(tmp_path, [*(row(number) for number in range(4)), *others])
    assert "2 of 6 responses are to instructions that the benchmark does not have, e.g. 'Please say 0'" in caplog.text


def test_where_no_instruction_is_known_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match="no response is to an instruction of the benchmark") as error:
        responses(tmp_path, [{"instruction": "Another.", "output": "x"}])
    assert "'Say 0.'" in str(error.value) and "mine.jsonl, row 1" in str(error.value)
    with pytest.raises(PlumblineError, match="found:    no rows"):
        responses(tmp_path, [])


def test_a_column_of_another_name_is_told_or_refused(tmp_path: Path) -> None:
    rows = [{"prompt": f"Say {number}.", "answer": f"{number}"} for number in range(4)]
    assert [one.text for one in responses(tmp_path, rows, instruction="prompt", output="answer")] == list("0123")
    with pytest.raises(PlumblineError, match="there is no column 'output'"):
        responses(tmp_path, rows, instruction="prompt")


def test_of_a_folder_in_hrefs_layout_only_responses_are_read(tmp_path: Path) -> None:
    """Beside them lie annotations, in folders of annotators."""
    for category, numbers in {"open_qa": (0, 1), "rewrite": (2, 3)}.items():
        home = tmp_path / "mine" / category
        (home / "annotator").mkdir(parents=True)
        (home / "responses.jsonl").write_text("".join(json.dumps(row(number)) + "\n" for number in numbers))
        (home / "annotator" / "annotations.json").write_text('[{"preference": 2.0}]')
    files = {name: path.read_bytes() for name, path in files_below(tmp_path / "mine")}
    assert [one.text for one in opened(tmp_path, files)] == [f"It says {number}." for number in range(4)]
