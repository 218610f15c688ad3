"""Paired comparisons: tests against exact enumeration and scipy, intervals of differences, groups that are alike."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.paired import Compared, alike, groups_alike, holm, mid_p, sign_test
from scipy.stats import binomtest, false_discovery_control

BOOTSTRAP = Bootstrap(seed=1, replicates=4000, level=0.95)


@pytest.mark.parametrize(("fewer", "more"), [(0, 0), (0, 5), (2, 6), (4, 4), (6, 2), (1, 9)])
def test_mid_p_is_that_of_all_ways_the_changes_could_have_fallen(fewer: int, more: int) -> None:
    """Twice the probability of fewer, and of as many with half its weight, by counting all 2ⁿ ways."""
    n, low = fewer + more, min(fewer, more)
    ways = [sum(one) for one in product((0, 1), repeat=n)]
    tail = (sum(w < low for w in ways) + 0.5 * sum(w == low for w in ways)) / len(ways)
    assert mid_p(fewer, more) == pytest.approx(min(1.0, 2 * tail) if n else 1.0)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mid_p_lies_below_the_exact_test_and_is_symmetric(a: int, b: int) -> None:
    if a + b:
        assert mid_p(a, b) == mid_p(b, a) <= binomtest(a, a + b).pvalue + 1e-12


def test_instances_scored_alike_say_nothing_and_ties_count_by_their_direction() -> None:
    first, second = np.array([1.0, 1.0, 0.5, 0.0, 1.0]), np.array([0.0, 0.5, 0.0, 0.0, 1.0])
    assert sign_test(first, second) == mid_p(3, 0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_never_lowers_a_value_keeps_their_order_and_multiplies_the_least_by_their_number(
    values: list[float],
) -> None:
    adjusted = holm(values)
    assert all(after >= before - 1e-12 for before, after in zip(values, adjusted, strict=True))
    assert [x for _, x in sorted(zip(values, adjusted, strict=True))] == sorted(adjusted)
    assert min(adjusted) == pytest.approx(min(1.0, len(values) * min(values)))


def test_holm_is_stricter_than_a_control_of_false_discoveries() -> None:
    values = [0.001, 0.012, 0.02, 0.03, 0.3]
    assert all(holm(values) >= false_discovery_control(values) - 1e-12)
    assert holm(values) == pytest.approx([0.005, 0.048, 0.06, 0.06, 0.3])


def test_the_difference_of_two_judges_that_err_together_is_known_better_than_either() -> None:
    random = np.random.default_rng(3)
    hard = random.random((400, 1)) < 0.4
    scores = np.where(hard, 0.0, 1.0) * np.ones((400, 2))
    scores[:8, 0] = 1.0 - scores[:8, 0]
    compared = Compared.of(scores, BOOTSTRAP, ("test",))
    assert compared.difference(0, 1).se < 0.3 * compared.value(0).se
    assert compared.difference(0, 1).value == pytest.approx(scores[:, 0].mean() - scores[:, 1].mean())


def test_a_judge_without_a_score_on_some_instances_is_measured_on_the_others() -> None:
    scores = np.array([[1.0, np.nan], [0.0, 1.0], [1.0, np.nan], [1.0, 0.0]])
    compared = Compared.of(scores, BOOTSTRAP, ("test",))
    assert (compared.value(0).value, compared.value(1).value) == (0.75, 0.5)
    assert (compared.count(0), compared.count(1)) == (4, 2)


def test_judges_that_cannot_be_told_apart_are_joined_and_others_are_not() -> None:
    random = np.random.default_rng(5)
    good, other = (random.random(300) < 0.9).astype(float), (random.random(300) < 0.9).astype(float)
    poor = (random.random(300) < 0.5).astype(float)
    pairs = alike(np.stack([good, poor, other], axis=1))
    assert [set(pair) for pair in pairs] == [{0, 2}]
    assert groups_alike([0, 2, 1], pairs) == [(0, 1)]


def test_a_run_ends_where_any_two_of_it_can_be_told_apart() -> None:
    chain = [(0, 1), (1, 2), (2, 3), (0, 2)]
    assert groups_alike([0, 1, 2, 3], chain) == [(0, 2), (2, 3)]
    assert groups_alike([0, 1], []) == []
