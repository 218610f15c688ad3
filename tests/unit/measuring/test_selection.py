"""Best of n: expectations against drawing every set, and the cases that can be worked out by hand."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.measuring.selection import Score, expected, precision, weights

SCORES = st.one_of(st.none(), st.sampled_from([0.0, 0.5, 1.0]))
CANDIDATES = st.lists(st.tuples(SCORES, st.sampled_from([0.0, 0.25, 1.0])), min_size=1, max_size=6)


def chosen_of(drawn: list[tuple[Score, float]]) -> list[float]:
    """What is kept of some candidates: those with the highest score, or all where none has one."""
    known = [score for score, _ in drawn if score is not None]
    return [worth for score, worth in drawn if not known or score == max(known)]


@given(CANDIDATES, st.data())
def test_it_is_the_mean_over_every_set_that_can_be_drawn(
    candidates: list[tuple[Score, float]], data: st.DataObject
) -> None:
    n = data.draw(st.integers(1, len(candidates)))
    scores, worths = (tuple(column) for column in zip(*candidates, strict=True))
    sets = [list(drawn) for drawn in combinations(candidates, n)]
    means = fmean(fmean(chosen_of(drawn)) for drawn in sets)
    best = [max(worth for _, worth in drawn) for drawn in sets]
    precise = fmean(fmean(worth == most for worth in chosen_of(drawn)) for drawn, most in zip(sets, best, strict=True))
    assert expected(worths, weights(scores, n)) == pytest.approx(means)
    assert precision(scores, worths, n) == pytest.approx(precise)


def test_of_one_candidate_the_choice_is_always_right() -> None:
    assert precision((0.1, 0.9, 0.9), (1.0, 0.0, 0.5), 1) == pytest.approx(1.0)


def test_where_all_are_scored_alike_precision_is_the_share_of_the_best() -> None:
    assert precision((0.5,) * 4, (1.0, 1.0, 0.0, 0.5), 4) == pytest.approx(0.5)
    assert weights((0.5,) * 4, 4) == pytest.approx((0.25,) * 4)


@pytest.mark.parametrize(("scores", "right"), [((0.1, 0.2, 0.3), 1.0), ((0.3, 0.2, 0.1), 0.0)])
def test_without_ties_precision_is_accuracy(scores: tuple[float, ...], right: float) -> None:
    assert precision(scores, (0.0, 0.5, 1.0), 3) == right


def test_it_penalises_what_is_chosen_besides_the_best_and_not_that_some_of_the_best_are_left() -> None:
    assert precision((1.0, 1.0, 0.0), (1.0, 0.0, 0.0), 3) == 0.5
    assert precision((1.0, 0.0, 0.0), (1.0, 1.0, 0.0), 3) == 1.0


def test_a_candidate_without_a_score_is_chosen_only_where_nothing_has_one() -> None:
    assert weights((None, 0.0), 2) == (0.0, 1.0)
    assert weights((None, None), 2) == (0.5, 0.5)
