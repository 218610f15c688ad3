"""What a benchmark here has less of than the paper had whose numbers stand beside ours."""

from __future__ import annotations

from plumbline.config.benchmark import PaperSize
from plumbline.measuring.cases import Cases

DIGITS = 2
"""Of the number of raters, a mean: so many digits after the point are shown, and what is less is not seen."""


def shortfall(cases: Cases, size: PaperSize) -> tuple[str, ...]:
    """In words how many of its instances and raters are here, where these are fewer."""
    instances = asked = answered = 0
    for case in cases.read(()):
        instances += 1
        asked += len({(label.question, label.about) for label in case.labels})
        answered += len({(label.question, label.about, label.rater) for label in case.labels})
    raters = round(answered / asked, DIGITS) if asked else 0.0
    short = [f"{instances:,} of {size.instances:,} instances"] if instances < size.instances else []
    return (*short, *([f"{raters:g} of {size.raters} raters"] if raters < size.raters else []))
