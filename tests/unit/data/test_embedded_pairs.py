"""The embedded pairs by several raters: labelled by the printed rules, one pair of each instruction first."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import rule_raters
from plumbline.data.loaded import Loaded
from plumbline.sources.archive import SourceFiles, pack
from plumbline.workflow.composing.resolved import Resolved
from reading import read_all
from rebuilt import CONFIG

ROWS = CONFIG / "benchmark/href_demo.jsonl"
LABELS = CONFIG / "benchmark/href_demo_labels.jsonl"
BASELINE = "osprey"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def loaded(papers: Resolved, tmp_path: Path) -> dict[str, list[Loaded]]:
    """The pairs of each benchmark that reads them."""
    pack(tmp_path / "rows.zip", {"rows.jsonl": ROWS})
    pack(tmp_path / "labels.zip", {"labels.jsonl": LABELS})
    files = SourceFiles(tmp_path / "rows.zip"), SourceFiles(tmp_path / "labels.zip")
    return {name: read_all(papers.config.benchmark[name], *files) for name in ("href_demo", "href_demo_sample")}


def test_the_labels_are_what_the_printed_rules_say() -> None:
    assert rows(LABELS) == [label for row in rows(ROWS) for label in rule_raters.preferences(row)]


def test_the_raters_differ_where_rules_may_as_the_page_says(repository: Path) -> None:
    answers: dict[str, set[str]] = {}
    for label in rows(LABELS):
        answers.setdefault(label["instance"], set()).add(label["word"])
    agreed = sum(len(words) == 1 for words in answers.values())
    assert f"same of {agreed} pairs" in " ".join(
        (repository / "docs/judge_your_own/pairs_by_raters.md").read_text().split()
    )
    assert len(answers) // 3 < agreed < len(answers)


def test_every_response_by_a_person_keeps_the_rules_of_its_row() -> None:
    for row in rows(ROWS):
        seen = rule_raters.Seen.of(row["response"], row["rules"])
        assert (seen.covered, seen.formed, seen.wrong) == (1.0, True, False), row["id"]


def test_every_system_meets_one_baseline_and_stands_first_as_often_as_it(loaded: dict[str, list[Loaded]]) -> None:
    systems = [tuple(output.system for output in one.instance.outputs) for one in loaded["href_demo"]]
    assert all(BASELINE in pair for pair in systems)
    assert sum(pair[0] == BASELINE for pair in systems) == len(systems) // 2


def test_a_model_is_asked_about_one_pair_of_each_instruction(loaded: dict[str, list[Loaded]]) -> None:
    every, sample = loaded["href_demo"], loaded["href_demo_sample"]
    instructions = Counter(one.instance.instruction for one in every)
    assert len(every) == 24 and set(instructions.values()) == {2}
    assert sorted(one.instance.instruction for one in sample) == sorted(instructions)
    assert Counter(one.instance.context["category"] for one in sample) == dict.fromkeys(
        [("Open QA",), ("Extract",), ("Rewrite",), ("Summarize",)], 3
    )
    assert all(len(one.labels) == 3 for one in sample)
