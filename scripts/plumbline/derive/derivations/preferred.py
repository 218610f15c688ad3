"""Of each instance the outputs that a judge prefers, e.g. the best of eight responses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from plumbline.config.benchmark import OfOne
from plumbline.data.instances import Instance, with_outputs
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import Outcome, Verdict, alone
from plumbline.derive.derivation import Dropped, Made, Result, derivation
from plumbline.derive.given import Given
from plumbline.derive.needs import Needs, VerdictNeed

SHARES = {"yes": 1.0, "no": 0.0}
FOR_FIRST = {"first": 1.0, "tie": 0.5, "second": 0.0}


@dataclass(frozen=True, kw_only=True)
class Preferred(OfOne):
    """Who says which outputs are best."""

    model: str
    """The judge."""
    protocol: str
    """The protocol that it is asked with."""
    question: str = ""
    """Which of its statements count (empty: all, but for those that follow from others): numbers as they are, yes as 1,
    no as 0; the better one of two outputs gets 1."""
    reading: Literal["as_published", "strict"] = "strict"
    """How its answers are read."""


def needs(options: Preferred) -> Needs:
    return Needs(verdicts=[VerdictNeed(options.model, [options.protocol])])


@derivation(options=Preferred, needs=needs)
def preferred(instance: Instance, given: Given, options: Preferred) -> Result:
    """The outputs with the highest mean of what was said of them; where several have it all of them (TICK, section 5).

    An output of which nothing was said that counts is none of them.
    """
    verdicts = counted(given.verdicts[options.model], options.question)
    scores = [score_of(output, verdicts, options) for output in range(len(instance.outputs))]
    facts = {f"score {number}": repr(score) for number, score in enumerate(scores, start=1) if score is not None}
    known = [score for score in scores if score is not None]
    if not known:
        return Dropped("nothing was said of any output", facts=facts)
    best = [output for output, score in zip(instance.outputs, scores, strict=True) if score == max(known)]
    return Made(with_outputs(instance, best), facts=facts)


def counted(verdicts: Sequence[Verdict], question: str) -> list[Verdict]:
    """What answers the question; without one what does not follow from the rest, as a preference from ratings does."""
    if question:
        return [verdict for verdict in verdicts if verdict.question == question]
    there = {f"{verdict.question}/{verdict.showing}" for verdict in verdicts}
    return [verdict for verdict in verdicts if there.isdisjoint(verdict.derived_from)]


def score_of(output: int, verdicts: Iterable[Verdict], options: Preferred) -> float | None:
    values = [value for verdict in verdicts if (value := value_of(verdict, output, options)) is not None]
    return fmean(values) if values else None


def value_of(verdict: Verdict, output: int, options: Preferred) -> float | None:
    """What a statement comes to for an output; nothing where it is about another one, or says nothing that counts."""
    outcome: Outcome = verdict.outcome(options.reading)
    if verdict.question == BETTER:
        share = FOR_FIRST.get(outcome.word or "") if output < 2 else None
        return share if share is None or output == 0 else 1.0 - share
    if verdict.showing != alone(output):
        return None
    return outcome.number if outcome.number is not None else SHARES.get(outcome.word or "")
