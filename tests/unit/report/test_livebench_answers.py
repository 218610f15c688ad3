"""A system's outputs as the answers that LiveBench's own tool scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from plumbline.data.instances import Instance, Output
from plumbline.records.errors import PlumblineError
from plumbline.report.livebench_answers import write_answers


def question(name: str, *outputs: tuple[str, str]) -> Instance:
    return Instance(f"id of {name}", "math", "Solve it.", tuple(Output(*each) for each in outputs), key=name)


ASKED = [
    question("q1", ("base", "1"), ("refined", "2\n\x1b – 漢字")),
    question("q2", ("base", ""), ("refined", "4")),
    question("q3", ("base", "5")),
]


def test_each_answer_is_a_line_in_the_layout_of_livebenchs_tool(tmp_path: Path) -> None:
    write_answers(tmp_path / "refined.jsonl", ASKED, "refined")
    rows = [json.loads(line) for line in (tmp_path / "refined.jsonl").read_text().splitlines()]
    assert [row["question_id"] for row in rows] == ["q1", "q2"]
    assert rows[0] | {"answer_id": ""} == {
        "question_id": "q1",
        "answer_id": "",
        "model_id": "refined",
        "choices": [{"index": 0, "turns": ["2\n\x1b – 漢字"]}],
        "tstamp": 0.0,
    }
    assert len({row["answer_id"] for row in rows}) == 2


def test_equal_answers_give_equal_bytes_and_what_is_missing_or_empty_is_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("one", "other"):
        write_answers(tmp_path / name, ASKED, "base")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    write_answers(tmp_path / "refined", ASKED, "refined")
    warnings = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert warnings[0] == "1 of 3 answers are empty" and warnings[-1] == "1 of 3 questions have no answer by 'refined'"


def test_a_system_that_answered_nothing_or_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match="did you mean 'refined'"):
        write_answers(tmp_path / "a", ASKED, "refind")
    with pytest.raises(PlumblineError, match="answers a question twice"):
        write_answers(tmp_path / "a", [question("q", ("base", "1"), ("base", "2"))], "base")
