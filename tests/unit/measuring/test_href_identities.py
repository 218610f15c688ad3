"""Which identities of HREF's printed tables hold."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from plumbline.measuring.identities.href import CODED
from plumbline.measuring.identities.href_systems import ranks
from plumbline.measuring.identity import Check, checks
from plumbline.measuring.printed import Printed
from plumbline.measuring.weights import weights_of, whole_number
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import setting


@pytest.fixture(scope="module")
def results(papers: Resolved) -> list[Check]:
    return checks("href", Printed.of("href", setting(papers, "printed.href")))


def starting(results: list[Check], title: str) -> list[Check]:
    chosen = [check for check in results if check.identity.startswith(title)]
    assert chosen, f"no identity is called {title}"
    return chosen


def broken(results: list[Check], title: str) -> list[str]:
    return [check.place for check in starting(results, title) if not check.holds]


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("Composite takes in each category the best", 44),
        ("All of Table 1 ", 19),
        ("All of Tables 3 and 5", 50),
        ("All of Table 6", 33),
        ("Table 6 is explained by whole numbers", 34),
        ("Table 5's ranks", 37),
        ("Table 3 repeats Table 5", 180),
        ("Win rates on the development and the evaluation set", 3),
        ("A human response gains", 6),
        ("Science rates of Table 1", 55),
        ("With 100 of 1,752 pairs", 18),
        ("All of the 1,452 public pairs", 18),
        ("Win rates of Table 6 count a tie as half a win", 264),
    ],
)
def test_what_holds_throughout(results: list[Check], title: str, number: int) -> None:
    assert len(starting(results, title)) == number
    assert not broken(results, title)


def test_without_rouge_six_of_the_44_cells_of_the_composite_rows_fail(results: list[Check]) -> None:
    title = "Composite as the text describes it"
    assert len(starting(results, title)) == 44
    assert broken(results, title) == [
        "table1, Composite GPT4, CQA",
        "table1, Composite GPT4, Rew",
        "table1, Composite GPT4-Tb, CQA",
        "table1, Composite Llama-7B, CQA",
        "table1, Composite Llama-7B, Rew",
        "table1, Composite Llama-7B, MDS",
    ]


def test_each_composite_row_has_a_map_of_its_own_and_the_code_has_llama_70bs(results: list[Check]) -> None:
    held = Counter(
        check.place.split(", ")[1] for check in starting(results, "Composite by the released") if check.holds
    )
    assert held == {
        "Composite Llama-70B": 11,
        "Composite GPT4-Tb": 7,
        "Composite GPT4": 4,
        "Composite Llama-7B": 3,
    }


@pytest.mark.parametrize("judge", ["GPT4", "GPT4-Tb", "Llama-7B", "Llama-70B"])
def test_each_composite_row_is_frozen_to_methods_whose_printed_numbers_it_has(papers: Resolved, judge: str) -> None:
    printed = Printed.of("href", setting(papers, "printed.href"))["table1"]
    chosen = papers.config.table["href"]["table1"].rows[f"Composite {judge}"].by_column
    assert len(chosen) == 11
    for column, row in chosen.items():
        assert printed.value(row, column) == printed.value(f"Composite {judge}", column)
    if judge == "Llama-70B":
        assert chosen == {column: row.format(judge) for column, row in CODED.items()}


def test_half_ties_fit_every_win_rate_of_table_6_and_whole_ones_162_of_264(results: list[Check]) -> None:
    whole = starting(results, "Win rates of Table 6 count a tie as a whole win")
    assert (sum(check.holds for check in whole), len(whole)) == (162, 264)


def test_all_of_the_public_pairs_follows_from_printed_numbers(results: list[Check]) -> None:
    derived = {check.place: check.derived for check in starting(results, "All of the 1,452 public pairs")}
    for row, value in (("Human", 66.511), ("Llama-70B", 66.152), ("Composite Llama-70B", 69.187), ("Rouge", 59.480)):
        assert derived[f"public, {row}, All"] == pytest.approx(value, abs=5e-4)


def test_the_two_sets_correlate_by_099_and_098_over_29_models(results: list[Check]) -> None:
    derived = [check.derived for check in starting(results, "Win rates on the development")]
    assert derived == [pytest.approx(0.992, abs=5e-4), pytest.approx(0.981, abs=5e-4), 29]


def test_three_of_the_eight_stated_differences_do_not_follow_from_table_1(results: list[Check]) -> None:
    wrong = [check for check in starting(results, "The differences that the text states") if not check.holds]
    assert [(check.printed, round(check.derived or 0.0, 1)) for check in wrong] == [(6.0, 6.8), (4.2, 5.3), (1.3, 1.5)]


def test_table_8_contradicts_table_1_and_its_own_caption(results: list[Check]) -> None:
    agreement, head = starting(results, "Table 8")
    assert (agreement.printed, agreement.derived, agreement.holds) == (68.4, 67.9, False)
    assert (head.printed_word, head.derived_word, head.holds) == ("D", "A", False)


def test_the_length_rule_beats_roberta_where_the_text_calls_it_the_best(results: list[Check]) -> None:
    assert broken(results, "The text names the methods") == ["section 3.3, best method on OQA"]


def test_tables_3_and_6_rank_by_another_rule_than_table_5(results: list[Check]) -> None:
    held = Counter(check.place[:6] for check in starting(results, "Tables 3 and 6 rank") if check.holds)
    assert held == {"table3": 9, "table6": 13}


def test_the_text_counts_other_models_than_it_names(results: list[Check]) -> None:
    wrong = [check for check in starting(results, "As many models") if not check.holds]
    assert [(check.printed, check.derived) for check in wrong] == [(32, 31), (29, 33)]


def test_whatever_does_not_hold_says_what_was_tried(results: list[Check]) -> None:
    assert not [check.place for check in results if not check.holds and not check.tried]


def test_weights_and_whole_numbers_are_found_again_although_one_mean_is_misprinted() -> None:
    counts = np.array([60, 58, 15, 7])
    halves = np.random.default_rng(1).integers(0, 2 * counts, size=(30, 4))
    rates = np.round(100.0 * halves / 2 / counts, 1)
    means = np.round(100.0 * halves.sum(axis=1) / 2 / counts.sum(), 1)
    means[3] += 9.0
    weights = weights_of(rates, means)
    assert weights * counts.sum() == pytest.approx(counts, abs=1.0)
    fitted = [whole_number(rate, about, 1) for rate, about in zip(rates.T, weights * counts.sum(), strict=True)]
    assert fitted == list(counts)


def test_a_group_ends_with_the_first_interval_that_does_not_reach_the_best_of_the_group() -> None:
    """With 100 instances, the interval of 50 % begins at 40.2, that of 32 % ends at 41.1 and that of 31 % at 40.1."""
    assert ranks({"a": 50.0, "b": 41.0, "c": 32.0, "d": 31.0}, 100) == {"a": 1, "b": 1, "c": 1, "d": 4}
