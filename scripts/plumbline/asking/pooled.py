"""Several ratings of one output as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from plumbline.asking.ask import Ask
from plumbline.data.verdicts import READINGS, Reading, Said, Showing, Verdict


def mean_of(ask: Ask, question: str, showing: Showing, verdicts: Sequence[Verdict]) -> Verdict:
    """The mean of the ratings that there are; where there is none, the most frequent reason why."""
    published, strict = (mean_said(verdicts, reading) for reading in READINGS)
    return ask.verdict(question, showing, published, strict, step=verdicts[0].step)


def mean_said(verdicts: Sequence[Verdict], reading: Reading) -> Said:
    said = [verdict.said(reading) for verdict in verdicts]
    numbers = [one.number for one in said if one.number is not None]
    if numbers:
        return Said(number=fmean(numbers))
    reasons = Counter(one.missing for one in said if one.missing is not None)
    return Said(missing=reasons.most_common(1)[0][0] if reasons else "unparsed")
