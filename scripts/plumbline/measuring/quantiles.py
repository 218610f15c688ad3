"""Quantiles of the normal and of Student's distribution.

scipy is imported where one is computed: every job reads which measures there are, and a node that only asks a model
has no need of scipy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from plumbline.measuring.bootstrap import Floats


def normal_quantile(share: ArrayLike) -> Floats:
    """Below which so much of the standard normal distribution lies."""
    from scipy.special import ndtri

    return np.asarray(ndtri(share))


def student_quantile(df: ArrayLike, share: ArrayLike) -> Floats:
    """Below which so much of Student's distribution with so many degrees of freedom lies."""
    from scipy.special import stdtrit

    return np.asarray(stdtrit(df, share))
