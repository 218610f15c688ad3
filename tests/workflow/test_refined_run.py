"""Responses refined round by round and chosen among, through the real Snakemake: written, judged, counted, audited."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from plumbline.data.instances import read_instances
from plumbline.data.texts import Text
from plumbline.records.rows import read_records
from project import Project

FILES = {
    "config/engine/refining.yaml": r"""
        kind: scripted
        answers:
          response: [red]
          checklist: ["Checklist:\n1. Is it blue?\n2. Is it brief?"]
          check: ["Analysis: so.\nAnswer: NO"]
          refine: ["Plan: more.\nRevised response: red and blue"]
    """,
    "config/model/refining.yaml": "{label: Refining, engine: refining}",
    "config/benchmark/bare.yaml": "{source: tiny, loader: rows, outputs: 0, subsets: {plain: '', trap: ''}}",
    "config/benchmark/rounds.yaml": """
        derive: with_texts
        of: bare
        written:
          round: {model: refining, step: stick@tick, becomes: outputs}
          drawn: {model: refining, step: drawn@tick, becomes: outputs}
    """,
    "config/table/tiny/judges.yaml": """
        paper: tiny
        name: judges
        title: Rounds
        source: Plumbline
        benchmark: rounds
        columns:
          Stopped: {metric: stopped}
          Of no use: {metric: kept}
        rows:
          Round 1: {systems: [round_1], than: round_0}
          Round 2: {systems: [round_2], than: round_1}
    """,
    "config/table/tiny/lengths.yaml": """
        paper: tiny
        name: lengths
        title: The longest of three rounds
        source: Plumbline
        benchmark: rounds
        picks: {model: length, protocol: longer, question: length}
        columns:
          Selected: {metric: selected_score}
          Precision: {metric: selection_precision}
          Gain: {metric: oracle_share}
        rows:
          Draft: {systems: [round_0]}
          At random: &three {systems: [round_0, round_1, round_2]}
          Longest: {<<: *three, scorer: {model: length, protocol: longer}, scorer_question: length}
          Shortest: {<<: *three, scorer: {model: length, protocol: shorter}, scorer_question: length}
    """,
}
TABLES = ("results/tables/tiny/judges.csv", "results/tables/tiny/lengths.csv")
LONG = len("red and blue")


@pytest.fixture(scope="module")
def refined(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.at(tmp_path_factory.mktemp("refined") / "plumbline")
    for name, text in FILES.items():
        project.write(name, text)
    project.build(*TABLES)
    return project


def rows(path: Path) -> dict[str, list[str]]:
    """The strict numbers of a table, by row."""
    with path.open(newline="", encoding="utf-8") as file:
        return {row[0]: row[2:] for row in csv.reader(file) if row[1] == "strict"}


def test_each_round_and_each_draw_is_an_output_of_a_system_of_its_own(refined: Project) -> None:
    texts = read_records(refined.path("results/texts/bare/refining.parquet"), Text)
    assert {text.number for text in texts if text.step == "write:stick@tick"} == set(range(5))
    for one in read_instances(refined.path("results/instances/rounds.parquet")):
        assert [output.system for output in one.outputs] == [
            *(f"round_{number}" for number in range(5)),
            *(f"drawn_{number}" for number in range(8)),
        ]
        assert [output.text for output in one.outputs[:5]] == ["red", *["red and blue"] * 4]


def test_what_becomes_of_responses_is_counted(refined: Project) -> None:
    counted = rows(refined.path(TABLES[0]))
    assert [float(value) for value in counted["Round 1"]] == [0.0, 0.0]
    assert [float(value) for value in counted["Round 2"]] == [100.0, 0.0]


def test_a_scorer_chooses_and_a_judge_says_what_that_is_worth(refined: Project) -> None:
    measured = {name: values for name, values in rows(refined.path(TABLES[1])).items()}
    assert float(measured["Draft"][0]) == 3.0
    assert float(measured["At random"][0]) == pytest.approx((3 + 2 * LONG) / 3, abs=0.01)
    assert [float(value) for value in measured["Longest"]] == [LONG, 1.0, 1.0]
    assert float(measured["Shortest"][0]) == 3.0 and float(measured["Shortest"][2]) == pytest.approx(-2.0)


def test_all_of_it_can_be_made_again_from_the_results_alone(refined: Project) -> None:
    done = refined.plumbline("verify")
    assert done.returncode == 0, done.stdout + done.stderr
    run = refined.snakemake(*TABLES)
    assert run.code == 0 and not run.made
