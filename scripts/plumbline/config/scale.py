"""The scale on which outputs are rated."""

from __future__ import annotations

import math
from dataclasses import dataclass

from plumbline.config.parsers import Limit

LONGEST = 999
"""The parsers read numbers of at most three digits."""


@dataclass(frozen=True)
class Scale:
    """The whole numbers from one to another; judges are asked for one of these."""

    low: Limit
    """The worst rating."""
    high: Limit
    """The best rating."""

    @classmethod
    def within(cls, low: float, high: float) -> Scale | None:
        """The whole numbers of a scale on which people rated; none where it has no two that a parser reads."""
        scale = cls(float(math.ceil(low)), float(math.floor(high)))
        readable = -LONGEST <= scale.low < scale.high <= LONGEST
        return scale if readable else None

    @property
    def numbers(self) -> list[str]:
        """All ratings there are."""
        return [str(number) for number in range(int(self.low), int(self.high) + 1)]

    @property
    def shown(self) -> dict[str, str]:
        """Its ends as templates show them."""
        return {"low": f"{self.low:g}", "high": f"{self.high:g}"}

    def moved(self, rating: float, other: Scale) -> float:
        """The rating of another scale that lies where this one does on its own, as a whole number."""
        share = (rating - self.low) / (self.high - self.low)
        return rating if other == self else float(round(other.low + share * (other.high - other.low)))
