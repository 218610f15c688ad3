"""What cells are marked with that tell a noise ceiling, or why there is none."""

from __future__ import annotations

NOISE_CEILING = "noise ceiling"
CEILING = (
    "Noise ceiling: how often one more person would agree with a judge that always says what most people would say, "
    "estimated from the people there are; r: how that person's numbers correlate with the mean of all people's."
)
ONE_PERSON = f"no {NOISE_CEILING}, as one person answered"


def is_ceiling(mark: str) -> bool:
    """Whether a mark tells a ceiling, or why there is none."""
    return mark == ONE_PERSON or mark.startswith(NOISE_CEILING)
