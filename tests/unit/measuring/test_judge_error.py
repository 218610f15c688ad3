"""What a better judge saves: simulated worlds beside what the model of errors says."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.measuring.judge_error import TrueWins, saving, told_apart
from plumbline.measuring.power import instances_for
from plumbline.records.errors import PlumblineError
from scipy import stats

WINS = TrueWins.planted(0.5, 0.08, correlation=0.4)


def seen(wins: TrueWins, error: float) -> tuple[float, float]:
    """The gap that the judge sees, and the standard deviation of the differences, worked out from the model."""
    gap = (1 - 2 * error) * (wins.first - wins.second)
    rates = [(1 - 2 * error) * rate + error for rate in (wins.first, wins.second)]
    together = (1 - 2 * error) ** 2 * (wins.both - wins.first * wins.second)
    return gap, (sum(rate * (1 - rate) for rate in rates) - 2 * together) ** 0.5


@pytest.mark.parametrize("error", [0.0, 0.1, 0.3, 0.45])
def test_an_error_rate_shrinks_the_gap_by_twice_itself(error: float) -> None:
    both, first, second, neither = WINS.judged(error)
    gap, deviation = seen(WINS, error)
    assert both + first + second + neither == pytest.approx(1)
    assert first - second == pytest.approx(gap)
    assert (first + second - gap**2) ** 0.5 == pytest.approx(deviation)


def test_outcomes_are_those_of_verdicts_that_are_turned_one_by_one() -> None:
    random, n, error = np.random.default_rng(1), 200_000, 0.2
    cells = random.choice(4, n, p=WINS.judged(0.0))
    true = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])[cells]
    judged = true ^ (random.random((n, 2)) < error)
    counts = [np.mean((judged == pattern).all(axis=1)) for pattern in ([1, 1], [1, 0], [0, 1], [0, 0])]
    assert counts == pytest.approx(WINS.judged(error).tolist(), abs=0.005)


def test_worlds_are_tested_as_scipy_tests_them() -> None:
    n = 400
    random = np.random.default_rng(2)
    values = np.array([0.0, 1.0, -1.0, 0.0])
    drawn = values[random.choice(4, (2000, n), p=WINS.judged(0.1))]
    by_scipy = (stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05).mean()
    assert told_apart(WINS, 0.1, n).mean() == pytest.approx(by_scipy, abs=0.04)


@pytest.mark.parametrize("error", [0.05, 0.2, 0.35])
def test_the_saving_is_what_theory_says(error: float) -> None:
    found = saving(WINS, error)
    assert found is not None
    for n, rate in ((found.n, error), (found.n_half, error / 2)):
        assert n == pytest.approx(instances_for(0.8, *seen(WINS, rate)), rel=0.06)
    assert found.ratio == found.n_half / found.n < 1


def test_equal_systems_are_told_apart_in_five_of_a_hundred_worlds() -> None:
    equal = TrueWins.planted(0.4, 0.0)
    assert told_apart(equal, 0.2, 500, worlds=2000).mean() <= 0.06
    assert saving(equal, 0.2) is None


def test_a_simulation_is_the_same_again() -> None:
    assert saving(WINS, 0.2) == saving(WINS, 0.2)


def test_planted_rates_keep_their_gap_at_the_limits_and_a_correlation_that_can_be() -> None:
    for wins in (TrueWins.planted(0.99, 0.2), TrueWins.planted(0.01, 0.2), TrueWins.planted(0.5, 0.2, 1.0)):
        assert wins.first - wins.second == pytest.approx(0.2)
        assert max(0.0, wins.first + wins.second - 1) - 1e-9 <= wins.both <= min(wins.first, wins.second)
        assert (wins.judged(0.1) >= 0).all()


@pytest.mark.parametrize("error", [0.5, 0.9, -0.1])
def test_a_judge_that_errs_in_half_of_its_verdicts_is_refused(error: float) -> None:
    with pytest.raises(PlumblineError, match="tells nothing apart"):
        saving(WINS, error)


def test_the_truth_behind_a_judges_scores_is_found_again() -> None:
    random = np.random.default_rng(3)
    drawn = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])[random.choice(4, 100_000, p=WINS.judged(0.2))]
    scores = drawn.astype(np.float64)
    gap = float(scores[:, 0].mean() - scores[:, 1].mean())
    truth = TrueWins.behind(scores, gap, 0.2)
    assert truth is not None
    assert (truth.first, truth.second, truth.both) == pytest.approx((WINS.first, WINS.second, WINS.both), abs=0.01)
    assert TrueWins.behind(scores, 0.7, 0.2) is None and TrueWins.behind(scores, 0.1, 0.5) is None
    wider = TrueWins.behind(scores, -0.3, 0.2)
    assert wider is not None and wider.first - wider.second == pytest.approx(0.5)
