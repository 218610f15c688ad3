"""Several ratings of one output as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from plumbline.asking.ask import Ask
from plumbline.data.verdicts import READINGS, Outcome, Reading, Showing, Verdict


def mean_of(ask: Ask, question: str, showing: Showing, verdicts: Sequence[Verdict]) -> Verdict:
    """The mean of the ratings that there are; where there is none, the most frequent reason why."""
    published, strict = (mean_outcome(verdicts, reading) for reading in READINGS)
    return ask.verdict(question, showing, published, strict, step=verdicts[0].step)


def mean_outcome(verdicts: Sequence[Verdict], reading: Reading) -> Outcome:
    outcomes = [verdict.outcome(reading) for verdict in verdicts]
    numbers = [one.number for one in outcomes if one.number is not None]
    if numbers:
        return Outcome(number=fmean(numbers))
    reasons = Counter(one.missing for one in outcomes if one.missing is not None)
    return Outcome(missing=reasons.most_common(1)[0][0] if reasons else "unparsed")
