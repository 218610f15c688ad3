"""Rankings of few outputs: tau-b against scipy, and places under random ties against sampling them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.measuring.rankings import Chance, Orders, place, standard_error, winners

rating = st.integers(1, 5)
table = st.lists(
    st.tuples(st.tuples(rating, rating, rating), st.tuples(rating, rating, rating)), min_size=1, max_size=20
)


@given(table)
def test_the_distance_is_that_of_scipys_tau_b_and_a_half_where_the_judge_alone_ties_all(
    rows: list[tuple[tuple[int, ...], tuple[int, ...]]],
) -> None:
    people, judge = (np.array(side, dtype=float) for side in zip(*rows, strict=True))
    expected = [(1 - scipy.stats.kendalltau(a, b).statistic) / 2 for a, b in zip(people, judge, strict=True)]
    tied = [len(set(a)) > 1 and len(set(b)) == 1 for a, b in zip(people, judge, strict=True)]
    expected = [0.5 if half else value for half, value in zip(tied, expected, strict=True)]
    orders = Orders.of(people, judge)
    assert orders.distances == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert orders.only_people.tolist() == tied


def test_an_output_without_a_value_is_left_out_of_the_ranking() -> None:
    people, judge = np.array([[2.0, 3.0, 1.0]]), np.array([[1.0, 2.0, np.nan]])
    assert Orders.of(people, judge).distances[0] == 0.0
    assert np.isnan(Orders.of(people, np.array([[1.0, np.nan, np.nan]])).distances[0])


def test_an_output_without_a_score_may_count_as_tied_with_every_other() -> None:
    """By hand: one pair of three is ordered, and rightly, so that tau-b is 1 over the root of 3."""
    people = np.array([[2.0, 3.0, 1.0]])
    some = Orders.of(people, np.array([[1.0, 2.0, np.nan]]), missing_ties=True)
    assert some.distances[0] == pytest.approx((1 - 1 / np.sqrt(3)) / 2)
    for scores in ([1.0, np.nan, np.nan], [np.nan] * 3):
        assert Orders.of(people, np.array([scores]), missing_ties=True).distances[0] == 0.5
    assert np.isnan(Orders.of(np.ones((1, 3)), np.array([[np.nan] * 3]), missing_ties=True).distances[0])


RUNS = 100_000
"""As many as the paper averages (section 2.2)."""
RATED = [
    [(5, 4, 4), (3, 5, 4), (1, 2, 3)],
    [(5, 5, 5), (5, 5, 5), (4, 4, 5)],
    [(1, 2, 3), (2, 3, 4), (2, 2, 1)],
    [(3, 3, 3), (3, 3, 3), (3, 3, 3)],
    [(1, 5, 4), (2, 3, 1), (5, 4, 1)],
]
"""Three people's ratings of three outputs of five instances; many without a majority."""


def sampled(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Majority ratings and places of all outputs in each run, ties of both kinds broken at random."""
    majorities = np.zeros((RUNS, len(RATED), 3))
    for i, instance in enumerate(RATED):
        for o, ratings in enumerate(instance):
            values, counts = np.unique(ratings, return_counts=True)
            majorities[:, i, o] = random.choice(values[counts == counts.max()], size=RUNS)
    order = np.lexsort((random.random(majorities.shape), -majorities), axis=2)
    return majorities, order.argsort(axis=2) + 1.0


def test_sampling_as_the_paper_does_converges_to_the_exact_expectations_and_errors() -> None:
    majorities, places = sampled(np.random.default_rng(11))
    modes = [[Chance.mode(ratings) for ratings in instance] for instance in RATED]
    for output in range(3):
        exact = [place(each[output], [m for o, m in enumerate(each) if o != output]) for each in modes]
        for runs, expected in (
            (majorities[:, :, output], [(each[output].mean, each[output].variance) for each in modes]),
            (places[:, :, output], exact),
        ):
            means, variances = np.array(expected).T
            noise = 5 * np.sqrt(np.maximum(variances, 1e-12) / RUNS)
            assert (np.abs(runs.mean(axis=0) - means) <= noise).all()
            assert runs.var(axis=0) == pytest.approx(variances, abs=0.02)
            totals = np.array([len(means), means.sum(), (means**2).sum(), variances.sum()])
            squared = runs.var(axis=1, ddof=1) / len(means)  # each run's own standard error, squared
            assert float(standard_error(totals)) ** 2 == pytest.approx(squared.mean(), rel=0.01)


@given(st.lists(st.lists(rating, min_size=1, max_size=3), min_size=2, max_size=4))
@settings(max_examples=50)
def test_all_places_add_up(instance: list[list[int]]) -> None:
    modes = [Chance.mode(ratings) for ratings in instance]
    places = [place(mine, [m for o, m in enumerate(modes) if o != number])[0] for number, mine in enumerate(modes)]
    assert sum(places) == pytest.approx(sum(range(1, len(instance) + 1)))


def test_outputs_that_tie_share_the_middle_of_their_places() -> None:
    tied = [Chance.sure(4.0), Chance.sure(4.0), Chance.sure(1.0)]
    assert place(tied[0], tied[1:]) == (1.5, 0.25)
    assert place(tied[2], tied[:2]) == (3.0, 0.0)


def test_the_standard_error_of_yes_and_no_is_that_of_a_share() -> None:
    n, p = 300, 0.813
    totals = np.array([n, n * p, n * p, 0.0])
    assert float(standard_error(totals)) == pytest.approx(np.sqrt(p * (1 - p) / (n - 1)))


def test_what_ties_for_the_highest_wins_together() -> None:
    assert winners(np.array([[1.0, 2.0, 2.0], [np.nan, 1.0, 0.0]])).tolist() == [
        [False, True, True],
        [False, True, False],
    ]
