"""What cells wait for: all that their table, row and column name, and the data that nobody has pinned."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from plumbline.config.tables import Pick, Table, Waits
from plumbline.measuring.plans import benchmarks, plans
from plumbline.workflow.composing.compose import compose
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import CONFIG

SOURCE = "title: Mine\nlicence: none\ncitation: none\nurl: https://example.org/mine.jsonl\n"
BENCHMARK = "source: mine\nloader: rows\nsubsets: {all: ''}\n"
TABLE = """paper: mine
name: one
title: Mine
source: Plumbline
benchmark: mine
metrics: [count]
columns: {n: []}
rows: {all: {}, own: {waits: {weights: a GPU}}}
"""

Composed = Callable[[str], Resolved]


@pytest.fixture
def composed(tmp_path: Path) -> Composed:
    """The configuration with a table on a benchmark whose source is declared like this."""

    def compose_with(more: str) -> Resolved:
        folder = tmp_path / "config"
        shutil.copytree(CONFIG, folder, dirs_exist_ok=True)
        for name, text in {
            "source/mine": SOURCE + more,
            "benchmark/mine": BENCHMARK,
            "table/mine/one": TABLE,
        }.items():
            (folder / f"{name}.yaml").parent.mkdir(exist_ok=True)
            (folder / f"{name}.yaml").write_text(text)
        return compose(folder, "papers")

    return compose_with


def test_a_cell_waits_for_all_that_its_table_its_row_and_its_column_wait_for() -> None:
    table = Table(
        *("paper", "one", "One", "Plumbline"),
        columns={"a": Pick(waits=Waits(data="the science categories", key="a key"))},
        rows={"x": Pick(waits=Waits(weights="a GPU", data="the set")), "y": Pick()},
        metrics=["count"],
        picks=Pick(waits=Waits(data="the set")),
    )
    assert [plan.pick.waits for plan in plans(table)] == [
        Waits(data="the set; the science categories", key="a key", weights="a GPU"),
        Waits(data="the set; the science categories", key="a key"),
    ]


def test_cells_on_data_that_nobody_has_pinned_wait_for_it_and_say_what_to_do(composed: Composed) -> None:
    table = composed("").table("mine", "one")
    data = "Mine: pin it (plumbline pin mine)"
    assert [plan.pick.waits for plan in plans(table)] == [Waits(data=data), Waits(data=data, weights="a GPU")]
    assert not benchmarks(table)


@pytest.mark.parametrize("more", ["pins: mine.sha256\n", "path: mine.jsonl\n"])
def test_cells_whose_data_is_pinned_or_your_own_are_built(composed: Composed, more: str) -> None:
    table = composed(more).table("mine", "one")
    assert [plan.pick.waits for plan in plans(table)] == [Waits(), Waits(weights="a GPU")]
    assert benchmarks(table) == ["mine"]


def test_rows_of_a_judge_whose_source_nobody_has_pinned_wait_for_it(papers: Resolved) -> None:
    """NLTK counts words and sentences with data that must be fetched; our own splitter needs none."""
    table = papers.table("risum_squality", "table4")
    waiting = {plan.row: plan.pick.waits.data for plan in plans(table)}
    assert waiting["Sentence count"] == waiting["Word count"]
    assert waiting["Word count"].endswith("pin it (plumbline pin nltk_punkt)")
    assert not waiting["Word count (own splitter)"] and not waiting["ROUGE-avg"]
