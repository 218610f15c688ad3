"""Recorded verdicts as a judge, through the real Snakemake: docs/judge_your_own/recorded_verdicts.md."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from documented import files_in
from forging import put
from plumbline.data.instances import read_instances
from plumbline.data.verdicts import Outcome, read_verdicts, write_verdicts
from project import REPOSITORY, Project, Run

TABLE = "results/tables/own/judges.csv"
VERDICTS = Path("results/verdicts/colours/mine.parquet")
FILES = {
    "config/experiment/own.yaml": "{title: Own, tables: [own/judges], models: [mine], replicates: 200}",
    "config/table/own/judges.yaml": """
        paper: own
        name: judges
        title: What I have
        source: Plumbline
        benchmark: colours
        metrics: [acc, agr]
        columns: {ALL: [all]}
        rows: {Longer: {model: length, protocol: longer}}
        judges: [vanilla, recorded, recorded_text]
    """,
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Run]:
    """A project with the files of the page and a table that takes judges, and its first run."""
    project = Project.at(tmp_path_factory.mktemp("own") / "plumbline")
    for name, text in (FILES | files_in(REPOSITORY / "docs/judge_your_own/recorded_verdicts.md")).items():
        project.write(name, text)
    return project, project.build("experiment=own", "all")


@pytest.fixture
def own(ran: tuple[Project, Run], tmp_path: Path) -> Project:
    """The same in a folder of this test's own."""
    return ran[0].twin(tmp_path / "plumbline")


def test_a_file_of_verdicts_is_a_row_beside_the_others(own: Project) -> None:
    """Shown plain and swapped, output 1 of the first pair wins; of the second pair there is a tie in one order."""
    with own.path(TABLE).open() as file:
        rows = {(row["row"], row["reading"]): row for row in csv.DictReader(file)}
    mine = rows[("Mine Recorded", "strict")]
    assert (mine["ALL.acc"], mine["ALL.agr"]) == ("75.0", "100.0")
    first, second = read_instances(own.path("results/instances/colours.parquet"))
    verdicts = read_verdicts(own.path("results/verdicts/colours/mine.parquet"))
    assert [(verdict.instance, verdict.showing, str(verdict.strict)) for verdict in verdicts] == [
        (first.id, "plain", "first"),
        (first.id, "swapped", "first"),
        (second.id, "plain", "tie"),
    ]


def test_the_summary_says_what_one_showing_means(ran: tuple[Project, Run]) -> None:
    assert "warned: 1 of 2 instances have a verdict in one order only" in ran[1].text


def test_a_number_leads_to_the_rows_of_the_file(own: Project) -> None:
    said = own.plumbline("explain", "own/judges", "Mine Recorded", "ALL.acc").stdout
    assert "better, shown plain: first; step recorded/mine.jsonl, row 1" in said
    assert "none: nobody was asked" in said
    assert re.search(r"^engine +recorded_rows, asked with recorded\nidentity +.*mine", said, re.MULTILINE), said


def test_the_run_verifies_until_a_verdict_is_not_the_files(own: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    done = own.plumbline("verify")
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.chdir(own.folder)
    first, *others = read_verdicts(VERDICTS)
    assert (str(first.strict), first.step) == ("first", "recorded/mine.jsonl, row 1")
    write_verdicts(Path("other.parquet"), [replace(first, strict=Outcome("tie")), *others])
    put(VERDICTS, Path("other.parquet").read_bytes())
    done = own.plumbline("verify")
    assert done.returncode == 1
    assert "row 1, column strict_word: stored 'tie', recomputed 'first'" in done.stdout


def test_the_files_other_columns_are_read_as_the_page_says(own: Project) -> None:
    """The page's second model: a file with its own columns and words."""
    rows = [{"idx": 0, "gpt_result": "1"}, {"idx": 1, "gpt_result": "garbage"}]
    own.write("data/mine.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    own.build("experiment=own", "hydra=experiment.models=[other]", "results/verdicts/colours/other.parquet")
    verdicts = read_verdicts(own.path("results/verdicts/colours/other.parquet"))
    assert [(verdict.showing, str(verdict.strict)) for verdict in verdicts] == [
        ("plain", "first"),
        ("plain", "unparsed"),
    ]


def test_a_misspelt_verdict_ends_the_run_with_its_row(own: Project) -> None:
    own.write("data/mine.jsonl", '{"instance": "a1", "answer": "first"}\n{"instance": "a2", "answer": "frist"}\n')
    run = own.snakemake("experiment=own", "all")
    assert run.code != 0 and "Traceback" not in run.text
    assert "a recorded answer to 'better' is not understood" in run.text and "mine.jsonl, row 2" in run.text
