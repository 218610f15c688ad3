"""Preferences that follow from scores: what the pure functions beside the programs are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from plumbline.asking.answer_text.answers import GOES_BY
from plumbline.asking.protocols import ProtocolOptions
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import NOTHING, Outcome, Verdict, alone

FIRST, SECOND, TIE = Outcome("first"), Outcome("second"), Outcome("tie")


def derived(options: ProtocolOptions, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    """What follows from the verdicts of one run about one instance, sample by sample: its program says."""
    for _, of_sample in groupby(sorted(verdicts, key=lambda v: v.sample), key=lambda v: v.sample):
        yield from options.program.derive(options.protocol, list(of_sample))


def scores_of_two(verdicts: Sequence[Verdict], *questions: str) -> list[tuple[Verdict, Verdict]]:
    """The two scores of an instance of two outputs: those of the first of these questions that was answered.

    None where the judge said itself which output is better.
    """
    if any(verdict.question == BETTER for verdict in verdicts):
        return []
    for question in questions:
        scores = {verdict.showing: verdict for verdict in verdicts if verdict.question == question}
        if scores:
            return [(scores[alone(0)], scores[alone(1)])] if scores.keys() == {alone(0), alone(1)} else []
    return []


def higher(first: Outcome, second: Outcome) -> Outcome:
    """The output with the higher number, a tie where they are equal; without two numbers there is no preference."""
    for outcome in (first, second):
        if outcome.number is None:
            return outcome
    assert first.number is not None and second.number is not None
    return TIE if first.number == second.number else FIRST if first.number > second.number else SECOND


def from_scores(first: Verdict, second: Verdict, margin: float | None = None, gap: float | None = None) -> Verdict:
    """Prefer the higher score; without two scores there is no preference."""
    published, strict = higher(first.as_published, second.as_published), higher(first.strict, second.strict)
    return preference(first, second, published, strict, why=first.why or second.why, margin=margin, gap=gap)


def from_scores_alone(first: Verdict, second: Verdict) -> Verdict:
    """Prefer the higher of two scores that the model gave each output alone; without both there is no preference."""
    return from_scores(first, second, gap=smaller_gap(first, second))


def from_computed(first: Verdict, second: Verdict) -> Verdict:
    """Prefer the higher of two numbers that were computed; by how much is also how far it is from a tie."""
    one, other = first.strict.number, second.strict.number
    margin = None if one is None or other is None else one - other
    return from_scores(first, second, margin=margin, gap=None if margin is None else abs(margin))


def smaller_gap(first: Verdict, second: Verdict) -> float | None:
    return min((score.gap for score in (first, second) if score.gap is not None), default=None)


def from_ratings(first: Verdict, second: Verdict) -> Verdict:
    """Prefer the higher score (LLMBar, appendix D). As published, a rating without a score makes a tie."""
    gap = smaller_gap(first, second)
    published = higher(first.as_published, second.as_published)
    strict = higher(first.strict, second.strict)
    if published.missing and strict.missing:
        return preference(first, second, TIE, published, why=GOES_BY[published.missing], gap=gap)
    published = TIE if published.missing else published
    return preference(first, second, published, strict, why=first.why or second.why, gap=gap)


def preference(
    first: Verdict,
    second: Verdict,
    as_published: Outcome,
    strict: Outcome,
    why: str = "",
    margin: float | None = None,
    gap: float | None = None,
) -> Verdict:
    """What follows from two scores, naming them; no order was shown, so none can have mattered."""
    return Verdict(
        instance=first.instance,
        protocol=first.protocol,
        question=BETTER,
        showing=NOTHING,
        as_published=as_published,
        strict=strict,
        why="" if as_published == strict else why,
        sample=first.sample,
        margin=margin,
        gap=gap,
        step=first.step,
        derived_from=tuple(f"{score.question}/{score.showing}" for score in (first, second)),
    )
