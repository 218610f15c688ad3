"""Which weights of its parts explain a printed mean, where a paper does not print them."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cells import rounding


def weights_of(parts: Floats, means: Floats) -> Floats:
    """Weights of the columns of `parts` that explain the means: none negative, adding up to 1.

    They are those with the least sum of absolute differences, which a single misprint does not move.
    """
    rows, columns = parts.shape
    off = -np.eye(rows)  # one variable a row says how far its mean is off, whichever way
    solution = linprog(
        np.r_[np.zeros(columns), np.ones(rows)],
        A_ub=np.block([[parts, off], [-parts, off]]),
        b_ub=np.r_[means, -means],
        A_eq=[np.r_[np.ones(columns), np.zeros(rows)]],
        b_eq=[1.0],
    )
    return np.asarray(solution.x[:columns])


def whole_number(rates: Floats, about: float, digits: int) -> int:
    """The number of instances nearest to `about` of which each rate in percent is a whole number of halves."""
    numbers = np.arange(1, 2 * max(1, round(about)) + 2)
    halves = np.round(rates[:, None] / 100.0 * 2 * numbers)
    fits = (np.abs(halves / numbers / 2 * 100.0 - rates[:, None]) <= rounding(digits)).all(axis=0)
    return int(min(numbers[fits], key=lambda number: abs(number - about), default=round(about)))
