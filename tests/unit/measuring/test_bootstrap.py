"""The bootstrap: drawing counts is drawing instances, clusters are drawn whole, and names decide the numbers."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from plumbline.measuring import bootstrap
from plumbline.measuring.bootstrap import Bootstrap, Estimate, Floats, Resamples, generator, joint

SEED = 20240424
MANY = Bootstrap(SEED, 20_000, 0.95)


def resamples(n: int, clusters: np.ndarray | None = None, how: Bootstrap = MANY, name: str = "a") -> Resamples:
    return Resamples.of(how, (name,), n, clusters)


def same_distribution(ours: Floats, theirs: Floats) -> None:
    """Mean, spread and quantiles, within five standard errors of their Monte Carlo noise."""
    replicates, spread = len(ours), theirs.std()
    assert abs(ours.mean() - theirs.mean()) < 5 * spread * math.sqrt(2 / replicates)
    assert abs(ours.std() - spread) < 5 * spread / math.sqrt(replicates)
    for level in (0.025, 0.25, 0.5, 0.75, 0.975):
        # around a quantile the share of draws below it has the standard error sqrt(p (1 - p) / n)
        slack = 5 * math.sqrt(2 * level * (1 - level) / replicates)
        low, high = np.quantile(theirs, [max(level - slack, 0), min(level + slack, 1)])
        assert low <= np.quantile(ours, level) <= high


def drawn_one_by_one(values: Floats, replicates: int) -> Floats:
    """Sums of `values` over samples with replacement, drawn by hand."""
    return np.random.default_rng(2).choice(values, size=(replicates, len(values))).sum(axis=1)


VALUES = np.repeat([0.0, 0.5, 1.0, 7.0], [41, 17, 23, 19])


def test_totals_are_those_of_instances_drawn_one_by_one() -> None:
    ours = resamples(len(VALUES)).totals(VALUES[:, None])[:, 0]
    same_distribution(ours, drawn_one_by_one(VALUES, 20_000))


def test_instances_that_are_alike_can_be_drawn_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "LARGE", 1000)
    kinds = np.unique(VALUES, return_inverse=True)[1]
    samples = Resamples.of(MANY, ("a",), len(VALUES), None, [kinds])
    assert samples.alike
    same_distribution(samples.totals(VALUES[:, None])[:, 0], drawn_one_by_one(VALUES, 20_000))


def test_a_cluster_is_drawn_as_a_whole() -> None:
    """Five instances a cluster, equal within it: the spread is that of 20 draws, not of 100."""
    clusters = np.repeat(np.arange(20), 5)
    values = np.random.default_rng(1).normal(size=20)
    ours = resamples(100, clusters).totals(values[clusters][:, None])[:, 0]
    same_distribution(ours, 5 * drawn_one_by_one(values, 20_000))


def test_clusters_of_one_are_no_clusters() -> None:
    values = np.arange(30.0)[:, None]
    alone, clustered = (resamples(30, clusters).totals(values) for clusters in (None, np.arange(30)))
    assert np.array_equal(alone, clustered)


def test_features_are_drawn_together() -> None:
    """What is measured on the same instances is measured on the same samples of them."""
    samples = resamples(50)
    x = np.random.default_rng(3).normal(size=(50, 2))
    assert np.allclose(samples.totals(x)[:, 0], samples.totals(x[:, :1])[:, 0])


def test_samples_too_large_to_keep_are_drawn_anew_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    values = VALUES[:, None]
    kept = resamples(len(VALUES))
    first = kept.totals(values)
    assert np.array_equal(kept.totals(values), first)
    monkeypatch.setattr(bootstrap, "KEPT", 0)
    again = resamples(len(VALUES))
    assert np.array_equal(again.totals(values), first)
    assert np.array_equal(again.totals(values), first)


def test_joint_kinds_are_alike_in_every_respect() -> None:
    together = joint([np.array([0, 0, 1, 1, -1, 0]), np.array([2, 3, 2, 2, 2, 2])])
    assert [together[0] == other for other in together] == [True, False, False, False, False, True]
    assert together[2] == together[3] and len(set(together)) == 4


def test_a_wider_level_gives_a_wider_interval_around_the_same_value() -> None:
    draws = np.random.default_rng(5).normal(size=2000)
    narrow, wide = (Estimate.of(0.0, draws, level) for level in (0.5, 0.95))
    assert wide.low < narrow.low < 0 < narrow.high < wide.high
    assert narrow.se == wide.se == pytest.approx(1.0, rel=0.1)


def test_samples_that_leave_a_value_undefined_say_nothing() -> None:
    draws = np.array([np.nan, 1.0, 2.0, 3.0])
    assert Estimate.of(2.0, draws, 0.95) == Estimate.of(2.0, draws[1:], 0.95)


# seeds


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


def test_drawing_is_many_times_faster_than_a_loop_over_samples() -> None:
    values = np.random.default_rng(7).normal(size=1000)
    how = Bootstrap(SEED, 400, 0.95)
    start = time.perf_counter()
    resamples(1000, how=how).totals(values[:, None])
    ours = time.perf_counter() - start
    start = time.perf_counter()
    random = np.random.default_rng(8)
    for _ in range(400):
        sum(values[int(random.integers(1000))] for _ in range(100))  # a tenth of a sample
    assert ours * 2 < time.perf_counter() - start
