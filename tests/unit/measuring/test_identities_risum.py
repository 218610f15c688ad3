"""riSum's printed tables: which formulas their standard errors fit, and what adds up."""

from __future__ import annotations

import pytest
from plumbline.measuring.identity import Check, checks
from plumbline.measuring.printed import Printed
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import setting


@pytest.fixture(scope="module")
def results(papers: Resolved) -> list[Check]:
    return checks("risum", Printed.of("risum", setting(papers, "printed.risum")))


def holding(results: list[Check], words: str) -> tuple[int, int]:
    mine = [check for check in results if words in check.identity]
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
        ("81.3 ± 2.2", 3, 3),
        ("Shares of local alpha", 4, 4),
        ("leaves out the pairs that people tie", 1, 1),
        ("in bold", 56, 60),
    ],
)
def test_each_identity_holds_as_often_as_expected(results: list[Check], words: str, hold: int, of: int) -> None:
    failing = [(c.place, c.printed, c.derived) for c in results if words in c.identity and not c.holds]
    assert holding(results, words) == (hold, of), failing


def test_the_one_error_that_fits_no_formula_is_named(results: list[Check]) -> None:
    row = "F-PaLM 2-Lc Self-Agreement (random + no intro)"
    failing = [check.place for check in results if not check.holds and "in bold" not in check.identity]
    assert failing == [f"table4, {row}, AUC ROC SE"]


def test_the_shares_of_local_alpha_are_199_and_168_of_295(results: list[Check]) -> None:
    places = [check.place for check in results if check.identity.startswith("Shares of local alpha")]
    assert [place.rpartition(", ")[2] for place in places] == ["199 of 295", "of 300", "168 of 295", "of 300"]


def test_the_bold_rule_holds_for_kendall_alone(results: list[Check]) -> None:
    """What the rule has in bold beyond the copy at hand: two areas, and the two best Pearson distances."""
    ours = "F-PaLM 2-Lc Self-Agreement"
    broken = {(check.place, check.derived_word) for check in results if "in bold" in check.identity and not check.holds}
    assert broken == {
        (f"table4, {ours} (random), AUC ROC", "bold"),
        (f"table4, {ours} (random + no intro), AUC ROC", "bold"),
        (f"table4, {ours}, Pearson", "bold"),
        (f"table4, {ours} (random), Pearson", "bold"),
    }
