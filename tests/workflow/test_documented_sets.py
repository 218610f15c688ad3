"""What the pages about sets and written texts show is all that there is to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from documented import files_in
from making import pairs_of
from plumbline.data.instances import read_instances
from plumbline.data.texts import Text
from plumbline.records.rows import read_records
from project import REPOSITORY, Project

PAGES = ("benchmarks/construct.md", "benchmarks/written_texts.md", "extend/strategy.md", "extend/step.md")
LISTED, SETS = "results/instances/demo_listed.parquet", "results/instances/my_sets.parquet"
OWN_CODE = {
    "scripts/plumbline/derive/derivations/halved.py",
    "scripts/plumbline/derive/recipes/halves.py",
    "scripts/plumbline/asking/programs/heading.py",
}


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A checkout with what these pages add."""
    project = Project.at(tmp_path_factory.mktemp("documented") / "plumbline")
    shown = files_in(*(REPOSITORY / "docs" / page for page in PAGES))
    for name, text in shown.items():
        assert not project.path(name).exists(), "a strategy and a step are new files, and touch no other"
        project.write(name, text)
    assert {name for name in shown if Path(name).suffix == ".py"} == OWN_CODE
    project.build("experiment=demo", LISTED, SETS)
    return project


def test_a_strategy_is_a_derivation_and_a_recipe_and_its_set_is_built_with_another(followed: Project) -> None:
    pairs = pairs_of(followed, "my_sets/my_halves/unreviewed")
    assert len(pairs) == 4
    for pair in pairs:
        outputs = (pair.first.split(), pair.second.split())
        better, worse = outputs if pair.gold == "first" else outputs[::-1]
        assert worse == better[: int(0.4 * len(better))]
    sets = {"outputs": "my_outputs", "halves": "my_halves"}  # what its filter leaves empty has no instances
    kept = {name for name, made in sets.items() if pairs_of(followed, f"my_sets/{made}/unreviewed")}
    assert {one.subset for one in read_instances(followed.path(SETS))} == kept >= {"halves"}


def test_a_step_is_one_file_and_what_it_writes_is_context(followed: Project) -> None:
    for instance in read_instances(followed.path(LISTED)):
        assert instance.context["heading"] == ("A better heading",)
        assert instance.context["checklist"] == ("Is it to the point?", "Is it true?")
    texts = read_records(followed.path("results/texts/demo/listing.parquet"), Text)
    assert {text.step for text in texts} == {"write:checklist@plumbline", "write:heading@headings"}


def test_what_the_pages_build_verifies(followed: Project) -> None:
    done = followed.plumbline("verify")
    assert done.returncode == 0, done.stdout + done.stderr
