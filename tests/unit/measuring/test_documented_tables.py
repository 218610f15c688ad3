"""The table on the page about judges beside people holds together, and measures what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from documented import files_in
from invented import Listed, instance, verdict
from plumbline.config.tables import Table
from plumbline.config.typed import build
from plumbline.data.labels import BETTER, Label
from plumbline.data.verdicts import NOTHING
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.checks import check
from plumbline.measuring.table import Measuring
from scipy.stats import binomtest

PAGE = Path(__file__).parents[3] / "docs/judge_your_own/comparing.md"


def case(number: int) -> Case:
    """The longer output is the better one in three of four; one rater of three always says the other."""
    about = instance(number, lengths=(9, 1), context={"category": ("email" if number % 3 else "film",)})
    better, other = ("first", "second") if number % 4 else ("second", "first")
    labels = [
        Label(about.id, rater, BETTER, None, word, None)
        for rater, word in zip("abc", (better, better, other), strict=True)
    ]
    rules = {
        Judge("length", name): [verdict(about, NOTHING, word, word, protocol=name)]
        for name, word in (("longer", "first"), ("shorter", "second"))
    }
    return Case(about, labels, rules)


def test_the_table_of_the_page_is_measured_as_it_says() -> None:
    [(name, text)] = files_in(PAGE).items()
    table = build(Table, yaml.safe_load(text), name)
    check(table)
    made = Measuring(
        table, Bootstrap(1, 500, 0.95), {"own_pairs": Listed([case(number) for number in range(48)])}
    ).cells()
    cells = {(cell.row, cell.column): cell for cell in made if cell.reading == "strict"}
    # of two raters that are left, both say what is better, or they are split twice: (1 + 0.5 + 0.5) / 3
    assert cells["Longer", "All"].value == pytest.approx(100 * (3 / 4 * 2 / 3 + 1 / 4 * 1 / 3))
    assert cells["Human", "All"].value == pytest.approx(100 * (0.5 + 0.5 + 0) / 3)
    assert cells["Best", "All"].value == pytest.approx(cells["Longer", "All"].value)
    exact = binomtest(12, 48).pvalue  # 36 instances speak for one, 12 for the other, all by as much
    assert cells["Longer - Shorter", "p"].value == cells["Longer - Shorter", "Holm"].value == pytest.approx(exact)
    assert "3 raters" in cells["Human", "All"].marks
