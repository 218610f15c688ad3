"""docs/judge_your_own/rated_answers.md: its files as they stand, its command, and judges of other kinds that join."""

from __future__ import annotations

import csv
import math
import re
import shlex

import pytest
from documented import files_in
from plumbline.asking.transcripts import TranscriptRow
from plumbline.data.verdicts import read_verdicts
from plumbline.records.rows import read_records
from project import REPOSITORY, Project
from tiny_model import make_model

PAGE = REPOSITORY / "docs/judge_your_own/rated_answers.md"
JUDGES, AGREEMENT = (f"results/tables/rated/{name}.csv" for name in ("judges", "agreement"))
BASE = "model_without_a_chat"
"""A folder with a tiny base model."""


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """What the page shows, with a base model beside its judges; built by the page's command."""
    project = Project.at(tmp_path_factory.mktemp("rated") / "plumbline")
    for name, text in files_in(PAGE).items():
        assert not project.path(name).exists()
        project.write(name, text)
    make_model(project.path(BASE), template="", longest=4096)
    project.write("config/model/base.yaml", f"{{label: Base, engine: embedded, repository: {BASE}, context: 4096}}")
    [command] = re.findall(r"^snakemake .*", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    words = shlex.split(command)
    assert words[3:5] == [JUDGES, AGREEMENT]
    hydra = words[-1].replace("our_judge]", "our_judge,base]")
    quick = "table.rated.judges.judges=[constrained_softmax,self_agreement,recorded] protocol.self_agreement.draws=2"
    project.build("experiment=papers", f"{hydra} {quick}", JUDGES, AGREEMENT)
    return project


def strict(project: Project, table: str) -> dict[str, dict[str, str]]:
    with project.path(table).open() as file:
        rows = [{name.split(".")[0]: value for name, value in row.items()} for row in csv.DictReader(file)]
    return {row["row"]: row for row in rows if row["reading"] == "strict"}


def test_the_files_of_the_page_give_numbers(followed: Project) -> None:
    rows = strict(followed, JUDGES)
    assert {row for row in rows if " - " not in row} == {
        *("Word count", "Sentence count", "Script Self-Agreement"),
        *("Our judge Recorded", "Base Constrained Softmax", "Base Self-Agreement"),
    }
    assert all(row["Kendall"] for row in rows.values())
    assert strict(followed, AGREEMENT)["Global"]["Follows?"] == "", "one rater has nobody to agree with"
    assert float(strict(followed, AGREEMENT)["Global"]["Quality"]) > 90


def test_recorded_ratings_are_held_against_both_questions(followed: Project) -> None:
    """Its ratings of the answers that follow are 7, 7 and 6; of those that do not at most 4."""
    judge = strict(followed, JUDGES)["Our judge Recorded"]
    assert (judge["AUC ROC"], judge["Perfect agreement"], judge["No rating"]) == ("100.0", "100.0", "0.0")
    tied = (1 - 2 / math.sqrt(2 * 3)) / 2  # of d3 two answers tie, of which people order one above the other
    assert float(judge["Kendall"]) == pytest.approx(100 * tied / 3, abs=0.05)


def test_each_judge_has_a_paired_difference_from_the_row_that_the_page_names(followed: Project) -> None:
    rows = strict(followed, JUDGES)
    difference = float(rows["Our judge Recorded - Word count"]["Kendall"])
    alone = float(rows["Our judge Recorded"]["Kendall"]) - float(rows["Word count"]["Kendall"])
    assert difference == pytest.approx(alone, abs=0.11)


def test_judges_are_asked_on_the_scale_of_the_benchmarks_own_question(followed: Project) -> None:
    calls = read_records(followed.path("results/ask/rated_answers/base/1-of-1.parquet"), TranscriptRow)
    rating = [call for call in calls if call.step == "rating" and call.choices]
    assert {tuple(call.choices) for call in rating} == {tuple("1234567")}
    follows = [call for call in calls if call.step == "follows"]
    assert len(follows) == len(rating) == 9 and {tuple(call.choices) for call in follows} == {("Yes", "No")}
    verdicts = read_verdicts(followed.path("results/verdicts/rated_answers/rating_by_script.parquet"))
    numbers = {one.strict.number for one in verdicts}
    assert any(number is not None and 5 < number <= 7 for number in numbers), "`seven` is on the scale"


def test_a_base_model_reads_prompts_joined_plainly_and_says_so_in_its_identity(followed: Project) -> None:
    verdicts = read_verdicts(followed.path("results/verdicts/rated_answers/base.parquet"))
    expected = [one for one in verdicts if one.protocol == "constrained_softmax@rated"]
    assert len(expected) == 18 and all(one.strict.number is not None for one in expected)


def test_what_the_page_builds_verifies(followed: Project) -> None:
    done = followed.plumbline("verify")
    assert done.returncode == 0, done.stdout + done.stderr
