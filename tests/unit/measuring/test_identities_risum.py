"""riSum's printed tables: which formulas their standard errors fit, and what adds up."""

from __future__ import annotations

import pytest
from plumbline.measuring.identity import Check, checks
from plumbline.measuring.printed import Printed
from plumbline.workflow.resolved import Resolved


@pytest.fixture(scope="module")
def found(papers: Resolved) -> list[Check]:
    return checks("risum", Printed.of("risum", papers.plain["printed"]["risum"]))


def holding(found: list[Check], words: str) -> tuple[int, int]:
    mine = [check for check in found if words in check.identity]
    return sum(check.holds for check in mine), len(mine)


@pytest.mark.parametrize(
    ("words", "hold", "of"),
    [
        ("794 of 900", 1, 1),
        ("of an AUC", 19, 20),
        ("Pearson distance", 20, 20),
        ("share of yes", 6, 6),
        ("add up to 6", 6, 6),
        ("without aggregation", 12, 12),
        ("Table 5", 12, 12),
    ],
)
def test_each_identity_holds_as_often_as_was_found(found: list[Check], words: str, hold: int, of: int) -> None:
    failing = [(c.place, c.printed, c.derived) for c in found if words in c.identity and not c.holds]
    assert holding(found, words) == (hold, of), failing


def test_the_one_error_that_fits_no_formula_is_named(found: list[Check]) -> None:
    row = "F-PaLM 2-Lc Self-Agreement (random + no intro)"
    assert [check.place for check in found if not check.holds] == [f"table4, {row}, AUC ROC SE"]
