"""Log-probabilities of the answers that a model could choose from."""

from __future__ import annotations

import math
from dataclasses import replace

from plumbline.data.verdicts import Outcome, Verdict
from plumbline.records.errors import PlumblineError

YES_NO = {"yes": "1", "no": "0"}


def expected(verdict: Verdict) -> Verdict:
    """The same with the mean of all scores, each weighted by its probability, in place of the likeliest one.

    Yes is 1 and no is 0; other choices that are no numbers are left out. A prompt that did not fit has no score.
    """
    if verdict.strict.missing == "truncated":
        return verdict
    numbers = {word: YES_NO.get(word, word) for word in verdict.logprobs}
    logprobs = {float(number): verdict.logprobs[word] for word, number in numbers.items() if _is_number(number)}
    if not logprobs:
        raise PlumblineError(
            "a weighted score needs the log-probability of each score",
            where=f"protocol {verdict.protocol!r}, step {verdict.step!r}",
            do="name the scores as the template's `choices`, and ask an engine that tells their log-probabilities",
        )
    best = max(logprobs.values())
    weights = {number: math.exp(value - best) for number, value in logprobs.items()}
    outcome = Outcome(
        number=math.fsum(number * weight for number, weight in weights.items()) / math.fsum(weights.values())
    )
    return replace(verdict, as_published=outcome, strict=outcome, why="", gap=None)


def _is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False
