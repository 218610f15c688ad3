"""The area under the ROC curve against pairs counted one by one, and Hanley and McNeil's standard error."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.measuring.roc import auc, hanley_mcneil, weighing

some = st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=30)


def by_pairs(scored: list[tuple[int, bool]]) -> float:
    wins = [
        1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
        for mine, positive in scored
        for theirs, other in scored
        if positive and not other
    ]
    return float(np.mean(wins)) if wins else np.nan


@given(some)
def test_it_is_the_share_of_pairs_in_the_right_order(scored: list[tuple[int, bool]]) -> None:
    scores, positive = (np.array(column, dtype=float) for column in zip(*scored, strict=True))
    assert auc(scores, positive) == pytest.approx(by_pairs(scored), abs=1e-12, nan_ok=True)


@given(some, some)
def test_with_weights_it_is_that_of_the_repeated_scores(
    first: list[tuple[int, bool]], second: list[tuple[int, bool]]
) -> None:
    joined = [*first, *second]
    scores, positive = (np.array(column, dtype=float) for column in zip(*joined, strict=True))
    owner = np.repeat([0, 1], [len(first), len(second)])
    areas, positives, negatives = weighing(scores, positive, owner)(np.array([[1.0, 1.0], [2.0, 1.0], [0.0, 3.0]]))
    repeated = [joined, first * 2 + second, second * 3]
    assert areas == pytest.approx([by_pairs(each) for each in repeated], abs=1e-12, nan_ok=True)
    assert list(positives + negatives) == [len(each) for each in repeated]


def test_one_on_whom_people_are_divided_counts_half_on_each_side() -> None:
    areas, positives, negatives = weighing(
        np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.5, 1.0]), np.zeros(3, dtype=int)
    )(np.ones((1, 1)))
    assert (positives[0], negatives[0]) == (1.5, 1.5)
    assert areas[0] == 1.0  # 3 over 1, 3 over half of 2, half of 2 over 1; the halves of 2 are not compared


shares = st.sampled_from([0.0, 0.5, 1.0])
divided = st.lists(st.tuples(st.integers(0, 4), shares, st.integers(0, 3)), min_size=1, max_size=8)


def by_halves(drawn: list[tuple[int, float, int]]) -> float:
    """Every two outputs in a sample, each half of them positive or negative, but for copies of one output."""
    copies = [(which, score, share) for which, (score, share, times) in enumerate(drawn) for _ in range(times)]
    won = weight = 0.0
    for one, mine, positive in copies:
        for other, theirs, share in copies:
            if one != other:
                worth = positive * (1 - share)
                weight += worth
                won += worth * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
    return won / weight if weight else np.nan


@given(divided)
def test_no_output_is_compared_with_itself_nor_with_its_copies_in_a_sample(drawn: list[tuple[int, float, int]]) -> None:
    scores, positive, times = (np.array(column, dtype=float) for column in zip(*drawn, strict=True))
    areas, _, _ = weighing(scores, positive, np.arange(len(drawn)))(times[None])
    assert areas[0] == pytest.approx(by_halves(drawn), abs=1e-12, nan_ok=True)


def test_an_output_alone_on_whom_people_are_divided_has_no_area() -> None:
    assert np.isnan(auc(np.array([1.0]), np.array([0.5])))


def test_a_perfect_order_is_perfect_in_every_sample() -> None:
    weights = np.random.default_rng(1).integers(1, 5, (50, 3)).astype(float)
    areas, _, _ = weighing(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.5, 1.0]), np.arange(3))(weights)
    assert (areas == 1.0).all()


def test_the_standard_error_is_about_the_spread_of_the_area_over_samples() -> None:
    """Exponential scores, for which the formula was derived."""
    random = np.random.default_rng(5)
    areas = []
    for _ in range(2000):
        scores = np.concatenate([random.exponential(3.0, 60), random.exponential(1.0, 40)])
        areas.append(auc(scores, np.repeat([1.0, 0.0], [60, 40])))
    expected = hanley_mcneil(np.array(0.75), np.array(60.0), np.array(40.0))
    assert np.std(areas) == pytest.approx(float(expected), rel=0.06)
