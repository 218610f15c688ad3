"""Power: t-tests beside scipy's, samples that only their size decides, and plans beside simulation."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.power import (
    MEAN,
    Score,
    ScoreTable,
    enough,
    instances_for,
    power,
    power_curve,
    sampled_tests,
    samples,
    t_tests,
)
from scipy import stats

cells = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, math.nan, 1 / 3])


@settings(max_examples=300)
@given(arrays(np.float64, st.tuples(st.integers(2, 12), st.integers(2, 4)), elements=cells))
def test_p_values_are_scipys_on_the_instances_that_both_have(scores: Floats) -> None:
    for p, (one, other) in zip(t_tests(scores), combinations(scores.T, 2), strict=True):
        both = ~np.isnan(one - other)
        differences = (one - other)[both]
        if both.sum() < 2 or not differences.any():
            assert math.isnan(p)
        elif np.ptp(differences) == 0:
            assert p == 0
        else:
            assert p == pytest.approx(stats.ttest_rel(one[both], other[both]).pvalue, rel=1e-6, abs=1e-12)


def systems(rates: list[float], n: int, seed: int = 0) -> Floats:
    random = np.random.default_rng(seed)
    return np.asarray(random.random((n, len(rates))) < rates, dtype=np.float64)


SCORES = systems([0.7, 0.6, 0.55, 0.3], 300)


def test_a_sample_of_all_instances_gives_the_tests_of_all() -> None:
    tests = sampled_tests(SCORES, len(SCORES))
    p = t_tests(SCORES)
    assert tests.p_values.tolist() == [p.tolist()]
    assert tests.summary(MEAN) == pytest.approx(p.mean()) and tests.apart == np.mean(p < 0.05)
    assert tests.summary(0.9) == pytest.approx(np.quantile(p, 0.9))


def test_the_curve_is_that_of_scipys_tests_on_the_samples_drawn_one_by_one() -> None:
    [point] = power_curve(SCORES, [40], draws=20, seed=3)
    drawn = samples(len(SCORES), 40, 20, 3)
    p = np.array(
        [[stats.ttest_rel(one, other).pvalue for one, other in combinations(SCORES[row > 0].T, 2)] for row in drawn]
    )
    assert (drawn.sum(axis=1) == 40).all() and drawn.max() == 1
    assert point.mean == pytest.approx(p.mean())
    assert point.p80 == pytest.approx(np.percentile(p, 80, axis=1).mean())
    assert point.p90 == pytest.approx(np.percentile(p, 90, axis=1).mean())
    assert point.apart == pytest.approx((p < 0.05).mean())


def test_samples_hang_on_their_size_alone_and_repeat_instances_only_where_there_are_too_few() -> None:
    assert power_curve(SCORES, [40, 80, 500])[1:] == power_curve(SCORES, [80, 500])
    beyond = samples(300, 500, 50, 1)
    assert (beyond.sum(axis=1) == 500).all() and beyond.max() > 1
    assert samples(300, 299, 50, 1).max() == 1
    assert not np.array_equal(samples(300, 40, 5, 1), samples(300, 40, 5, 2))


@given(st.permutations(range(30)))
def test_the_order_of_scores_does_not_matter(order: list[int]) -> None:
    scores = [
        Score(f"i{number}", name, value)
        for number, row in enumerate(SCORES[:15, :2])
        for name, value in zip("AB", row, strict=True)
    ]
    table, again = ScoreTable.of(scores), ScoreTable.of(scores[number] for number in order)
    assert np.array_equal(table.scores, again.scores) and table.systems == again.systems == ("A", "B")


def test_a_table_keeps_instances_that_two_systems_share_and_averages_what_stands_twice() -> None:
    table = ScoreTable.of([Score("i", "A", 1), Score("i", "A", 0), Score("i", "B", 0), Score("j", "A", 1)])
    assert table.scores.tolist() == [[0.5, 0.0]] and table.repeated == 1
    assert ScoreTable.of([]).scores.shape == (0, 0)


def test_systems_that_never_differ_have_no_p_value_and_are_left_out_of_the_curve() -> None:
    twice = np.column_stack([SCORES, SCORES[:, 0]])
    assert np.isnan(t_tests(twice)).sum() == 1
    assert sampled_tests(twice, 50).p_values.shape[1] == 9
    same = np.column_stack([SCORES[:, 0]] * 2)
    assert math.isnan(sampled_tests(same, 50).summary(MEAN)) and math.isnan(sampled_tests(same, 50).apart)


def test_a_sample_in_which_two_systems_do_not_differ_does_not_tell_them_apart() -> None:
    rarely = np.zeros((200, 2))
    rarely[0, 0] = 1.0
    assert sampled_tests(rarely, 2).summary(0.8) > 0.98


def test_more_instances_tell_more_systems_apart() -> None:
    shares = [point.apart for point in power_curve(SCORES, [20, 80, 300, 3000])]
    assert shares == sorted(shares) and shares[0] < shares[-1]


def test_enough_is_where_p_stays_below_the_level() -> None:
    assert enough([(10, 0.01), (20, 0.06), (40, 0.04), (80, 0.01)]) == 40
    assert enough([(80, 0.01), (10, 0.01)]) == 10
    assert enough([(10, 0.01), (20, 0.05)]) is None
    assert enough([(10, math.nan)]) is None and enough([]) is None


@pytest.mark.parametrize(("gap", "deviation"), [(0.05, 0.6), (0.2, 0.5), (1.0, 1.0)])
@pytest.mark.parametrize("wanted", [0.8, 0.9])
def test_a_planned_number_of_instances_finds_the_gap_as_often_as_wanted(
    gap: float, deviation: float, wanted: float
) -> None:
    n = instances_for(wanted, gap, deviation)
    assert n is not None and power(n, gap, deviation) >= wanted > power(n - 1, gap, deviation)
    drawn = np.random.default_rng(1).normal(gap, deviation, (4000, n))
    found = stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05
    assert found.mean() == pytest.approx(power(n, gap, deviation), abs=0.025)


def test_a_plan_agrees_with_the_printed_example_of_a_textbook() -> None:
    """Cohen (1988), table 2.4.1: d = 0.5 at two-sided .05 and power .80 takes 34 pairs, exactly 33.4."""
    assert instances_for(0.8, 0.5, 1.0) == 34


def test_no_gap_is_never_found_and_one_without_noise_at_once() -> None:
    assert instances_for(0.8, 0.0, 0.5) is None
    assert instances_for(0.8, 1e-9, 1.0) is None
    assert instances_for(0.8, 0.1, 0.0) == 2


def test_two_equal_systems_judged_independently_are_told_apart_in_five_of_a_hundred_worlds() -> None:
    random = np.random.default_rng(20240424)
    worlds = [t_tests(np.asarray(random.random((200, 2)) < 0.4, dtype=np.float64))[0] for _ in range(2000)]
    assert 0.04 <= np.mean(np.array(worlds) < 0.05) <= 0.06
