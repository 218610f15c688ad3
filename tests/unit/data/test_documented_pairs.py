"""docs/judge_your_own/pairs_by_raters.md: what its files say, and the cells that follow from their labels."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from documented import files_in
from plumbline.data.loaded import Loaded
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.table import Measuring
from plumbline.sources.archive import SourceFiles
from plumbline.sources.source import fetch
from plumbline.workflow.composing.compose import compose
from plumbline.workflow.composing.resolved import Resolved
from reading import read_all
from rebuilt import CONFIG

ROWS = ("People", "Ann and Bo, kappa")


class WithoutVerdicts:
    """The pairs as people saw them: no judge is asked."""

    def __init__(self, loaded: list[Loaded]) -> None:
        self.loaded = loaded

    def read(self, judges: Iterable[Judge]) -> list[Case]:
        assert not list(judges)
        return [Case(one.instance, one.labels, {}) for one in self.loaded]


@pytest.fixture
def resolved(tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Resolved:
    shutil.copytree(CONFIG, tmp_path / "config")
    for name, text in files_in(repository / "docs/judge_your_own/pairs_by_raters.md").items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return compose(tmp_path / "config")


@pytest.fixture
def loaded(resolved: Resolved, tmp_path: Path) -> list[Loaded]:
    files = {}
    for name in ("own_pairs", "own_labels"):
        fetch(name, resolved.config.source[name], None, "", tmp_path, tmp_path / f"{name}.zip")
        files[name] = SourceFiles(tmp_path / f"{name}.zip")
    return read_all(resolved.config.benchmark["own_pairs"], files["own_pairs"], files["own_labels"])


def test_the_pairs_have_systems_references_categories_and_labels_by_rater(loaded: list[Loaded]) -> None:
    assert [len(one.labels) for one in loaded] == [3, 3, 2]
    assert [one.instance.context["reference"] for one in loaded] == [("blue",), ("one, two",), ()]
    assert {output.system for one in loaded for output in one.instance.outputs} == {"alpha", "beta"}


def test_people_agree_as_counted_by_hand(resolved: Resolved, loaded: list[Loaded]) -> None:
    """a1: Ann and Bo agree with a word drawn of first and tie, 1/2 each, Cy with nobody: 1/3. a2: 1. a3: 0."""
    table = resolved.table("own", "agreement")
    table = replace(table, rows={row: table.rows[row] for row in ROWS})
    made = Measuring(
        table, Bootstrap(seed=1, replicates=50, level=0.95), {"own_pairs": WithoutVerdicts(loaded)}
    ).cells()
    by_name = {(cell.row, cell.column): cell for cell in made if cell.reading == "as_published"}
    assert by_name["People", "All"].value == pytest.approx(100 * (1 / 3 + 1 + 0) / 3)
    assert by_name["People", "Numbers"].value == pytest.approx(50.0)
    assert by_name["Ann and Bo, kappa", "All"].n == 3
