"""The bootstrap: weights follow from ids, add up to the number of instances, and vary a value as samples would."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from plumbline.measuring import bootstrap
from plumbline.measuring.bootstrap import DEALT, Bootstrap, BootstrapWeights, Floats, Groups, Names, generator, uniforms
from plumbline.measuring.measured import spread
from scipy.stats import kstest

SEED = 20240424
MANY = Bootstrap(SEED, 20_000, 0.95)


def named(n: int, seed: int = 1) -> Names:
    return np.random.default_rng(seed).integers(1 << 63, size=n).astype(np.uint64)


def weights(names: Names, how: Bootstrap = MANY) -> BootstrapWeights:
    return BootstrapWeights(how, Groups.of(names))


def same_distribution(ours: Floats, theirs: Floats) -> None:
    """Mean, spread and quantiles, within five standard errors of their Monte Carlo noise."""
    replicates, sd = len(ours), theirs.std()
    assert abs(ours.mean() - theirs.mean()) < 5 * sd * math.sqrt(2 / replicates)
    assert abs(ours.std() - sd) < 5 * sd / math.sqrt(replicates)
    for level in (0.025, 0.25, 0.5, 0.75, 0.975):
        # around a quantile the share of draws below it has the standard error sqrt(p (1 - p) / n)
        slack = 5 * math.sqrt(2 * level * (1 - level) / replicates)
        low, high = np.quantile(theirs, [max(level - slack, 0), min(level + slack, 1)])
        assert low <= np.quantile(ours, level) <= high


def weighted_by_hand(values: Floats, replicates: int) -> Floats:
    """Sums of `values` under weights of a flat Dirichlet distribution, which add up to their number."""
    return np.random.default_rng(2).dirichlet(np.ones(len(values)), size=replicates) @ values * len(values)


VALUES = np.repeat([0.0, 0.5, 1.0, 7.0], [41, 17, 23, 19])


def test_totals_are_those_under_a_flat_dirichlet_distribution() -> None:
    ours = weights(named(len(VALUES))).totals(VALUES[:, None])[:, 0]
    same_distribution(ours, weighted_by_hand(VALUES, 20_000))


def test_replicates_of_a_mean_are_spread_as_its_standard_error_says() -> None:
    for n in (5, 30, 200):
        values = np.random.default_rng(n).normal(size=n)
        draws = weights(named(n)).totals(values[:, None])[:, 0] / n
        assert spread(values.mean(), draws, n).std() == pytest.approx(values.std(ddof=1) / math.sqrt(n), rel=0.03)


def test_many_instances_share_a_few_weights_and_the_standard_error_stays() -> None:
    """Ten of 40,000 share a weight; that there are G groups, or replicates, moves a standard error by 1 / sqrt(2G)."""
    noise = math.sqrt(1 / (2 * DEALT) + 1 / (2 * 4000))
    values = np.random.default_rng(5).normal(size=40_000)
    few = Bootstrap(SEED, 4000, 0.95)
    dealt = BootstrapWeights(few, Groups.of(named(len(values)), many=True))
    assert len(dealt.groups) <= DEALT and dealt.groups.dealt
    assert dealt.groups.drawn == len(values) and not dealt.groups.clustered
    draws = dealt.totals(values[:, None])[:, 0] / len(values)
    by_formula = values.std(ddof=1) / math.sqrt(len(values))
    assert spread(values.mean(), draws, len(values)).std() == pytest.approx(by_formula, rel=5 * noise)


def test_few_instances_of_a_large_benchmark_are_weighed_one_by_one_all_but_some() -> None:
    """A subset of 50 of which hardly two fall into one group: its replicates are those of the flat Dirichlet."""
    dealt = BootstrapWeights(MANY, Groups.of(named(len(VALUES)), many=True))
    assert len(VALUES) - len(dealt.groups) <= 5
    same_distribution(dealt.totals(VALUES[:, None])[:, 0], weighted_by_hand(VALUES, 20_000))


def test_what_shares_a_weight_does_not_depend_on_the_order_of_rows_nor_on_what_else_there_is() -> None:
    names, order = named(len(VALUES)), np.random.default_rng(3).permutation(len(VALUES))
    ours = BootstrapWeights(MANY, Groups.of(names, many=True)).totals(VALUES[:, None])
    mixed = BootstrapWeights(MANY, Groups.of(names[order], many=True)).totals(VALUES[order][:, None])
    assert np.allclose(ours, mixed, rtol=1e-12)
    whole, half = (Groups.of(some, many=True) for some in (names, names[:50]))
    assert np.array_equal(whole.names[whole.members[:50]], half.names[half.members])


def test_a_cluster_is_weighed_as_a_whole() -> None:
    """Five instances a cluster, equal within it: the spread is that of 20 weights, not of 100."""
    clusters = np.repeat(named(20), 5)
    values = np.random.default_rng(1).normal(size=20)
    ours = weights(clusters).totals(np.repeat(values, 5)[:, None])[:, 0]
    same_distribution(ours, 5 * weighted_by_hand(values, 20_000))
    assert weights(clusters).groups.clustered and weights(clusters).groups.drawn == 20


def test_an_instance_weighs_the_same_among_whichever_others_it_stands() -> None:
    """Up to the scale that makes the weights add up; another order of rows changes nothing at all."""
    names = named(60)
    whole, half = weights(names), weights(names[:30])
    first_two = [each.totals(np.eye(len(each.groups.members))[:, :2]) for each in (whole, half)]
    ratios = [drawn[:, 0] / drawn[:, 1] for drawn in first_two]
    assert np.allclose(ratios[0], ratios[1])
    assert np.allclose(whole.totals(np.ones((60, 1))), 60) and np.allclose(half.totals(np.ones((30, 1))), 30)
    values = np.random.default_rng(3).normal(size=(60, 2))
    assert np.allclose(weights(names[::-1].copy()).totals(values[::-1]), whole.totals(values))


def test_all_weights_are_positive_so_that_nothing_drops_out() -> None:
    one_of_ten = np.array([1.0] + [0.0] * 9)[:, None]
    assert (weights(named(10)).totals(one_of_ten) > 0).all()


def test_weights_too_many_to_keep_are_drawn_anew_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    values = VALUES[:, None]
    kept = weights(named(len(VALUES)))
    first = kept.totals(values)
    assert np.array_equal(kept.totals(values), first)
    monkeypatch.setattr(bootstrap, "KEPT", 0)
    again = weights(named(len(VALUES)))
    assert np.array_equal(again.totals(values), first)
    assert np.array_equal(again.totals(values), first)


def test_instances_are_counted_by_group_and_kind() -> None:
    made = weights(np.array([7, 7, 9, 9, 9], dtype=np.uint64))
    assert made.counted(np.array([0, 1, 1, 1, -1], dtype=np.int8), 2).tolist() == [[1, 1], [0, 2]]


# random numbers


def test_uniform_numbers_are_uniform_and_independent_between_names_and_replicates() -> None:
    numbers = uniforms(SEED, named(300), range(3000))
    assert kstest(numbers.ravel(), "uniform").pvalue > 0.001
    between_names = np.corrcoef(numbers.T)[np.triu_indices(300, 1)]
    between_replicates = np.corrcoef(numbers[:300])[np.triu_indices(300, 1)]
    assert np.abs(between_names).max() < 5.5 / math.sqrt(3000)
    assert np.abs(between_replicates).max() < 5.5 / math.sqrt(300)
    assert abs(np.corrcoef(numbers[:-1].ravel(), numbers[1:].ravel())[0, 1]) < 5 / math.sqrt(numbers.size)


def test_uniform_numbers_follow_from_seed_name_and_replicate_alone() -> None:
    names = named(5)
    whole = uniforms(SEED, names, range(100))
    assert np.array_equal(uniforms(SEED, names[2:3], range(40, 60)), whole[40:60, 2:3])
    assert not np.isclose(uniforms(SEED + 1, names, range(100)), whole).any()


def test_random_numbers_depend_on_the_names_alone() -> None:
    first = generator(SEED, "bootstrap", "a").random(5)
    generator(SEED, "something else").random(1000)
    assert np.array_equal(generator(SEED, "bootstrap", "a").random(5), first)


@pytest.mark.parametrize(
    "other", [(SEED + 1, "bootstrap", "a"), (SEED, "bootstrap", "b"), (SEED, "a", "bootstrap"), (SEED, "bootstrapa")]
)
def test_another_seed_or_name_gives_other_numbers(other: tuple[int, *tuple[str, ...]]) -> None:
    assert not np.array_equal(generator(*other).random(5), generator(SEED, "bootstrap", "a").random(5))


# speed, as a ratio within one run: the benches have the seconds


def test_weighing_is_many_times_faster_than_a_loop_over_samples() -> None:
    values = np.random.default_rng(7).normal(size=1000)
    how = Bootstrap(SEED, 400, 0.95)
    start = time.perf_counter()
    weights(named(1000), how).totals(values[:, None])
    ours = time.perf_counter() - start
    start = time.perf_counter()
    random = np.random.default_rng(8)
    for _ in range(400):
        sum(values[int(random.integers(1000))] for _ in range(100))  # a tenth of a sample
    assert ours * 2 < time.perf_counter() - start
