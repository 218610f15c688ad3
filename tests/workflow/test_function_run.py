"""A function as a judge, through the real Snakemake: docs/judge_your_own/function.md."""

from __future__ import annotations

import csv
import json
import re

import pytest
from documented import files_in
from plumbline.asking.transcripts import TranscriptRow
from plumbline.data.verdicts import Verdict, read_verdicts
from plumbline.measuring.cells import read_cells
from plumbline.records.rows import read_records
from project import REPOSITORY, Project

PAGE = REPOSITORY / "docs/judge_your_own/function.md"
COMMAND = re.compile(r"^snakemake --cores 2 (\S+) --config (hydra=)\"(.*)\"$", re.MULTILINE)
TRANSCRIPT = "results/ask/greetings/my_rule/1-of-1.parquet"
JUDGE = "judges/mine.py"


def words() -> list[str]:
    """The target and the setting of the page's command."""
    [(target, key, setting)] = COMMAND.findall(PAGE.read_text())
    return [target, f"{key}{setting}"]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.at(tmp_path_factory.mktemp("function") / "plumbline")
    for name, text in files_in(PAGE).items():
        assert not project.path(name).exists()
        project.write(name, text)
    project.build(*words())
    return project


def rows(project: Project) -> dict[str, dict[str, str]]:
    with project.path(words()[0]).open() as file:
        return {row["row"]: row for row in csv.DictReader(file) if row["reading"] == "strict"}


def why(project: Project) -> list[list[str]]:
    target, setting = words()
    done = project.plumbline("why", "--json", target, "--config", "experiment=tiny", setting)
    jobs = json.loads(done.stdout) if done.stdout.startswith("[") else []
    return [reason["about"] for job in jobs for reason in job["reasons"]]


def verdicts(project: Project) -> list[Verdict]:
    return read_verdicts(project.path("results/verdicts/greetings/my_rule.parquet"))


def test_the_page_gives_a_row_from_one_line(own: Project) -> None:
    """By hand: it is right about the first two pairs, and takes the third for what it is not."""
    mine = rows(own)["My rule Function"]
    assert (mine["All.acc"], mine["All.agr"], mine["All.unparsed"]) == ("66.7", "100.0", "0.0")
    assert [(one.showing, one.strict.word, one.margin) for one in verdicts(own)] == [
        ("plain", "first", 4.0),
        ("swapped", "first", 4.0),
        ("plain", "second", -1.0),
        ("swapped", "second", -1.0),
        ("plain", "first", 2.0),
        ("swapped", "first", 2.0),
    ]


def test_it_is_explained_and_verified_like_any_other(own: Project) -> None:
    assert why(own) == []
    done = own.plumbline("verify")
    assert done.returncode == 0, done.stdout + done.stderr
    told = own.plumbline("explain", "greetings/judges", "My rule Function", "All.acc")
    assert told.returncode == 0 and "my_rule" in told.stdout, told.stdout + told.stderr


@pytest.mark.parametrize(("source", "told"), [(None, "is not there"), ("def judge(", "is not Python")])
def test_a_file_that_cannot_be_read_ends_the_run_in_words(own: Project, source: str | None, told: str) -> None:
    before = own.path(JUDGE).read_text()
    own.path(JUDGE).unlink()
    if source:
        own.write(JUDGE, source)
    run = own.snakemake(*words())
    assert run.code and told in run.text and JUDGE in run.text and "Traceback" not in run.text, run.text
    own.write(JUDGE, before)


def test_an_edit_is_a_reason_and_a_failed_call_costs_its_own_verdicts(own: Project) -> None:
    """Last: it edits the function."""
    failing = (
        'def judge(instruction, output_1, output_2):\n    if "three" in instruction:\n        raise ValueError("3")'
    )
    own.write(JUDGE, own.path(JUDGE).read_text().replace("def judge(instruction, output_1, output_2):", failing))
    assert why(own) == [[JUDGE]]
    assert JUDGE in own.plumbline("verify").stdout, "what was made by another file than the one here"
    run = own.build(*words())
    assert "2 calls of judges/mine.py::judge failed: 2 × ValueError, judges/mine.py, line 10" in run.text
    assert [str(one.strict) for one in verdicts(own)] == ["first", "first", "failed", "failed", "first", "first"]
    calls = read_records(own.path(TRANSCRIPT), TranscriptRow)
    assert [call.finish for call in calls] == ["stop", "stop", "failed", "failed", "stop", "stop"]
    cells = read_cells(own.path("results/cells/greetings/judges.parquet"))
    assert {cell.failed for cell in cells if cell.model == "my_rule" and cell.reading == "strict"} == {2}
    assert rows(own)["My rule Function"]["All.unparsed"] == "33.3"
    assert "ValueError" in own.path("results/ask/greetings/my_rule/1-of-1.log").read_text()
