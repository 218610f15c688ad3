"""What a better judge saves: the instances that it takes to tell two systems apart, simulated under a judge that errs.

The model: on each instance each of the two systems truly wins or loses against a baseline. A judge of the error rate e
flips each of the two outcomes with probability e, independently of each other and of all else. It then sees a gap of
1 - 2e times the true one, in more noise. A real judge's errors on both outputs may go together, which costs less.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose

import numpy as np
from numpy.typing import NDArray

from plumbline.measuring.bootstrap import Floats, generator
from plumbline.measuring.power import LEVEL, SEED, smallest
from plumbline.records.errors import PlumblineError

WORLDS = 4000
"""So many are simulated for each size: the power of a test is known to about half a point."""
POWER = 0.8


@dataclass(frozen=True)
class TrueWins:
    """How often two systems truly win against the baseline, and how often both win on the same instance."""

    first: float
    second: float
    both: float

    @classmethod
    def planted(cls, level: float, gap: float, correlation: float = 0.0) -> TrueWins:
        """Two win rates around a level, so far apart; correlated as far as such rates can be."""
        first, second = (min(max(level + part, 0.0), 1.0) for part in (gap / 2.0, -gap / 2.0))
        if not isclose(first - second, gap, abs_tol=1e-9):  # at a limit: the gap stays, the level moves
            first, second = (1.0, 1.0 - gap) if level > 0.5 else (gap, 0.0)
        both = first * second + correlation * (first * (1.0 - first) * second * (1.0 - second)) ** 0.5
        return cls(first, second, min(max(both, first + second - 1.0, 0.0), first, second))

    @classmethod
    def behind(cls, scores: Floats, gap: float, error: float) -> TrueWins | None:
        """What a judge of an error rate would see as the scores of two systems (instances, 2), but for the gap it sees.

        None if the judge errs so often that it could not see such a gap.
        """
        kept = 1.0 - 2.0 * error
        if not kept > 0.0 or abs(gap) > kept:
            return None
        rates = np.clip((scores.mean(axis=0) - error) / kept, 0.0, 1.0)
        deviations = np.prod(rates * (1.0 - rates)) ** 0.5
        covariance = float(np.cov(scores.T)[0, 1]) / kept**2
        correlation = min(max(covariance / deviations, -1.0), 1.0) if deviations else 0.0
        return cls.planted(float(rates.mean()), abs(gap) / kept, correlation)

    def judged(self, error: float) -> Floats:
        """The probabilities that the judge lets both win, the first alone, the second alone, neither."""
        true = np.array([self.both, self.first - self.both, self.second - self.both, 0.0])
        true[3] = 1.0 - true.sum()
        one = np.array([[1.0 - error, error], [error, 1.0 - error]])
        return np.asarray(np.clip(true, 0.0, 1.0) @ np.kron(one, one))


def told_apart(wins: TrueWins, error: float, n: int, worlds: int = WORLDS, seed: int = SEED) -> NDArray[np.bool_]:
    """In which of so many worlds of n instances a paired t-test of the judge's verdicts has p < .05."""
    from scipy.special import stdtr

    outcomes = generator(seed, "judge error", f"{error:g}", str(n)).multinomial(n, wins.judged(error), worlds)
    sums, squares = outcomes[:, 1] - outcomes[:, 2], outcomes[:, 1] + outcomes[:, 2]
    with np.errstate(invalid="ignore", divide="ignore"):
        t = sums / n / np.sqrt((squares - sums**2 / n) / (n - 1.0) / n)
    return np.asarray(2.0 * stdtr(n - 1.0, -np.abs(t)) < LEVEL)


@dataclass(frozen=True)
class Saving:
    """How many instances a judge needs, and one that errs half as often."""

    error: float
    n: int
    n_half: int

    @property
    def ratio(self) -> float:
        """The share of the instances that the better judge needs."""
        return self.n_half / self.n


def refuse_error_rate(error: float) -> None:
    if not 0.0 <= error < 0.5:
        raise PlumblineError(
            "a judge that errs in half of its verdicts or more tells nothing apart",
            found=f"an error rate of {error:g}",
            expected="at least 0 and below 0.5",
        )


def saving(
    wins: TrueWins, error: float, wanted: float = POWER, worlds: int = WORLDS, seed: int = SEED
) -> Saving | None:
    """The smallest simulated sizes at which both judges find the gap with the wanted power; none if there is no gap."""
    refuse_error_rate(error)

    def needed(rate: float) -> int | None:
        return smallest(lambda n: bool(told_apart(wins, rate, n, worlds, seed).mean() >= wanted))

    if wins.first == wins.second:
        return None
    n, n_half = needed(error), needed(error / 2.0)
    return Saving(error, n, n_half) if n and n_half else None
