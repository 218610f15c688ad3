"""Results: numbers of a table before they are cells, with all that follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from plumbline.data.verdicts import MISSING
from plumbline.measuring.measured import Measured


@dataclass(frozen=True)
class Result(Measured):
    """What is measured or follows from it, with what stands behind it; without a value it waits."""

    missing: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(MISSING, 0))
    se_name: str = ""
    close: int = 0
    se: float | None = None
    """The standard error by a formula; without one, that of the replicates."""
    waits: bool = False
    """Whether it cannot be built yet."""
    reason: str = ""
    failed: bool = False
    """Whether its measure failed; the reason says how."""
    empty: bool = False
    """Whether there is no instance that it could be measured on; the reason says which are missing."""

    @property
    def lacks(self) -> bool:
        """Whether there is nothing to go on from."""
        return self.waits or self.failed or self.empty

    def without_interval(self, value: float, **more: object) -> Result:
        """Another number about the same, without an interval unless `more` gives its bounds."""
        none = np.full(len(self.draws), np.nan)
        changed = {"draws": none, "se": None, "se_name": "", "bounds": (np.nan, np.nan)} | more
        return replace(self, value=value, **changed)  # type: ignore[arg-type]


def without_number(*, waits: bool = False, empty: bool = False, reason: str = "") -> Result:
    """What waits or has no instances, or else has failed for a reason."""
    return Result(np.nan, np.empty(0), 0, waits=waits, empty=empty, failed=not (waits or empty), reason=reason)


def lacking(sources: Mapping[str, Result]) -> Result | None:
    """What follows from results waits for whatever one of them waits for; it fails or is empty where one of them is."""
    for name, result in sources.items():
        if result.lacks:
            return replace(result, reason=f"{name}: {result.reason}" if result.reason else "")
    return None
