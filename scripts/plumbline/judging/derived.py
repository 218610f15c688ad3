"""Preferences that follow from scores: pure functions, one for each kind of score and reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from plumbline.data.labels import BETTER
from plumbline.data.verdicts import NOTHING, Said, Showing, Verdict, alone
from plumbline.judging.parsing.answers import GOES_BY
from plumbline.judging.protocols import ProtocolOptions

FIRST, SECOND, TIE = Said("first"), Said("second"), Said("tie")


def higher(first: Said, second: Said) -> Said:
    """The output with the higher number, a tie where they are equal; without two numbers there is no preference."""
    for said in (first, second):
        if said.number is None:
            return said
    assert first.number is not None and second.number is not None
    return TIE if first.number == second.number else FIRST if first.number > second.number else SECOND


def from_ratings(first: Verdict, second: Verdict) -> Verdict:
    """Prefer the higher score (LLMBar, appendix D). As published, a rating without a score makes a tie."""
    gap = min((score.gap for score in (first, second) if score.gap is not None), default=None)
    published = higher(first.as_published, second.as_published)
    strict = higher(first.strict, second.strict)
    if published.missing and strict.missing:
        return preference(first, second, TIE, published, why=GOES_BY[published.missing], gap=gap)
    published = TIE if published.missing else published
    return preference(first, second, published, strict, why=first.why or second.why, gap=gap)


def from_gains(first: Verdict, second: Verdict) -> Verdict:
    """Prefer the output that the instruction makes more likely, and say by how much."""
    said, margin = higher(first.strict, second.strict), _difference(first, second)
    return preference(first, second, said, said, margin=margin, gap=None if margin is None else abs(margin))


def from_lengths(first: Verdict, second: Verdict) -> Verdict:
    said = higher(first.strict, second.strict)
    return preference(first, second, said, said)


def from_recorded(first: Verdict, second: Verdict) -> Verdict:
    """Prefer the higher of two recorded scores."""
    published, strict = higher(first.as_published, second.as_published), higher(first.strict, second.strict)
    return preference(first, second, published, strict, why=first.why or second.why)


def preference(
    first: Verdict,
    second: Verdict,
    as_published: Said,
    strict: Said,
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


def _difference(first: Verdict, second: Verdict) -> float | None:
    if first.strict.number is None or second.strict.number is None:
        return None
    return first.strict.number - second.strict.number


Derive = Callable[[Verdict, Verdict], Verdict]
DERIVED: dict[str, Derive] = {
    "rate": from_ratings,
    "likelihood": from_gains,
    "length": from_lengths,
    "recorded": from_recorded,
    "recorded_text": from_ratings,
}
"""How the scores of a program become a preference between two outputs."""
SCORES = ("rating", "gain", "length")
"""The questions whose numbers are such scores."""


def derived(options: ProtocolOptions, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    """The preferences that the scores of one instance of two outputs give, one for each sample.

    A judge that was recorded to say itself which output is better is taken at its word.
    """
    derive = DERIVED.get(options.protocol.program)
    if derive is None:
        return
    for _, said in groupby(sorted(verdicts, key=lambda v: v.sample), key=lambda v: v.sample):
        by_question: dict[str, dict[Showing, Verdict]] = {}
        for verdict in said:
            by_question.setdefault(verdict.question, {})[verdict.showing] = verdict
        scores = next((by_question[name] for name in SCORES if name in by_question), {})
        if scores.keys() == {alone(0), alone(1)} and BETTER not in by_question:
            yield derive(scores[alone(0)], scores[alone(1)])
