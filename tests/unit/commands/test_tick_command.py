"""`plumbline checklist` and `plumbline tick` with a scripted model: what they print, the Parquet and the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from plumbline.commands import cli
from plumbline.config.model import Model
from plumbline.records.rows import read_records
from plumbline.report.ticked import Ticked
from small_config import copy_without_tables

LIST = "Analysis: short.\nChecklist:\n1. Is it <b>short</b>?\n2. Is it polite? YES\n3. Is it polite?"
INSTRUCTIONS = [{"id": "a", "instruction": "Say hello. <script>alert(1)</script>"}, {"instruction": "Say bye."}]
RESPONSES = [
    {"instance": "a", "system": "one", "response": "Hello! Answer: YES <script>alert(2)</script>"},
    {"instance": "a", "system": "two", "response": ""},
    {"instance": 2, "response": "Bye."},
]


def written(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of one's own, in which models can be declared."""
    copy_without_tables(tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "i.jsonl", INSTRUCTIONS)
    written(tmp_path / "r.jsonl", RESPONSES)
    return tmp_path


def scripted(check: str = "Analysis: <i>fine</i>.\nAnswer: YES", checklist: str = LIST, **model: object) -> list[str]:
    """The arguments that choose a scripted model, which is declared here."""
    engine = {"kind": "scripted", "answers": {"check": [check], "checklist": [checklist]}}
    Path("config/engine/script.yaml").write_text(json.dumps(engine))
    Path("config/model/scripted.yaml").write_text(json.dumps({"label": "Scripted", "engine": "script", **model}))
    return ["--model", "scripted"]


def tick(*more: str) -> int:
    return cli.main(["tick", "--instructions", "i.jsonl", "--responses", "r.jsonl", *more])


def test_a_checklist_is_printed_each_question_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["checklist", "Say hello.", *scripted()]) == 0
    assert capsys.readouterr().out == "1. Is it <b>short</b>?\n2. Is it polite?\n"


def test_a_model_that_writes_no_question_is_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["checklist", "Say hello.", *scripted(checklist="I'd rather not.")]) == 1
    assert "wrote no question" in capsys.readouterr().err


def test_every_answer_is_a_row_with_its_reason(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tick(*scripted()) == 0
    rows = read_records(here / "ticked" / "answers.parquet", Ticked)
    assert [(row.instance, row.response, row.system, row.number) for row in rows] == [
        *[("a", 1, "one", 1), ("a", 1, "one", 2), ("a", 2, "two", 1), ("a", 2, "two", 2)],
        *[("2", 1, "", 1), ("2", 1, "", 2)],
    ]
    assert {(row.question, row.answer) for row in rows} == {("Is it <b>short</b>?", "yes"), ("Is it polite?", "yes")}
    assert {row.why for row in rows} == {"Analysis: <i>fine</i>.\nAnswer: YES"}
    out = capsys.readouterr().out
    assert "one               1.000" in out and "asked 8, reused 0" in out


def test_the_page_shows_every_question_and_reason_escaped(here: Path) -> None:
    tick(*scripted())
    page = (here / "ticked" / "index.html").read_text()
    assert page.count("Is it &lt;b&gt;short&lt;/b&gt;?") == 3 and "Analysis: &lt;i&gt;fine&lt;/i&gt;." in page
    assert "<script" not in page and "<i>" not in page and "<b>" not in page


def test_a_second_run_asks_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tick(*scripted())
    tick(*scripted())
    assert "asked 0, reused 8" in capsys.readouterr().out


def test_a_preview_asks_nothing_and_counts_on_eight_questions(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tick("--preview", *scripted()) == 0
    line = capsys.readouterr().out.splitlines()[1].split()
    assert line[:4] == ["answers:", "scripted", str(2 + 8 * 3), "0"]
    assert not (here / "ticked").exists()


def test_money_is_spent_only_where_that_was_agreed_to(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Model, "money", lambda model, prompt_tokens, completion_tokens: prompt_tokens)
    dear = scripted()
    assert tick(*dear) == 1 and "say --yes to go on" in capsys.readouterr().err
    assert not (here / "ticked").exists()
    assert tick("--yes", *dear) == 0


def test_a_response_whose_questions_have_no_answer_is_counted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tick(*scripted(check="Who can tell?"))
    assert "one: 2 of 2 questions without an answer" in capsys.readouterr().out


def test_without_a_checklist_a_response_has_no_score(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tick(*scripted(checklist="Answer: YES"))
    assert "one: 1 response without a checklist" in capsys.readouterr().out
    assert "(no checklist)" in (here / "ticked" / "index.html").read_text()


def test_a_checklist_of_ones_own_is_answered_and_none_is_written(here: Path) -> None:
    own = [INSTRUCTIONS[0] | {"checklist": ["Is it mine?"]}, INSTRUCTIONS[1] | {"checklist": "Is it mine?\n\nIs it?"}]
    written(here / "i.jsonl", own)
    tick(*scripted())
    rows = read_records(here / "ticked" / "answers.parquet", Ticked)
    assert [row.question for row in rows] == ["Is it mine?", "Is it mine?", "Is it mine?", "Is it?"]


@pytest.mark.parametrize(
    ("instructions", "responses", "words"),
    [
        (INSTRUCTIONS, [{"instance": "c", "response": "x"}], "'c', which is no instruction"),
        (INSTRUCTIONS, [{"response": "x"}], "a row names no instruction"),
        (INSTRUCTIONS, [], "there is no response"),
        (
            INSTRUCTIONS,
            [{"instance": "a", "reponse": "x"}],
            "did you mean 'response'? If it is to be left alone, say --ignore reponse",
        ),
        ([*INSTRUCTIONS, INSTRUCTIONS[0]], RESPONSES, "two instructions are called 'a'"),
        (
            [INSTRUCTIONS[0] | {"checklist": ["Is it?"]}, INSTRUCTIONS[1]],
            RESPONSES,
            "1 of 2 instructions have a checklist",
        ),
        ([INSTRUCTIONS[0] | {"checklist": [1]}], RESPONSES[:1], "no list of questions"),
    ],
)
def test_what_does_not_fit_together_is_named(
    here: Path, instructions: list[Any], responses: list[Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    written(here / "i.jsonl", instructions)
    written(here / "r.jsonl", responses)
    assert tick(*scripted()) == 1
    assert words in capsys.readouterr().err


def test_a_judge_that_nobody_can_ask_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tick("--model", "gpt_4") == 1 and "cannot be asked" in capsys.readouterr().err
    assert tick("--model", "gpt_40") == 1 and "did you mean" in capsys.readouterr().err
