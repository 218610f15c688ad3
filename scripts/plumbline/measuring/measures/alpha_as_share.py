"""Krippendorff's alpha as papers print it that give shares, not percent (TICK, Table 6)."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.data.verdicts import Reading
from plumbline.measuring.measure import Value, weighed
from plumbline.measuring.measures.people import Ratings, alpha, compared, ratings


@weighed(
    "alpha_as_share", "α", ratings, compared, digits=3, judged=False, undefined="without two ratings of any output"
)
def alpha_as_share(units: Sequence[Ratings], reading: Reading) -> Value:
    """Krippendorff's alpha over all rated outputs of all instances, 1 at most: `alpha` without percent."""
    return alpha(units, reading)
