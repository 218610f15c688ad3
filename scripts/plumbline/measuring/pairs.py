"""Pairs: what a judge, or people, prefer of the two outputs of one instance, and what that is held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from plumbline.data.labels import BETTER, GOLD
from plumbline.data.verdicts import MISSING, NOTHING, PLAIN, READINGS, SWAPPED, Reading, Verdict
from plumbline.measuring.cases import Case, Judge, once
from plumbline.measuring.options import AgainstOptions, MeasureOptions, PersonOptions
from plumbline.measuring.raters import MAJORITY, PREFERENCES, measured_people, preferred_by, words_of
from plumbline.measuring.units import Observation, observer
from plumbline.records.errors import PlumblineError

NO_ORDER = "no order"
"""The mark of a judge that is not shown the outputs in an order: its one verdict counts for both."""
ONE_SHOWING = "one showing only"
ONE_ORDER = "no verdict in one of the orders"
"""The mark of units of which measures that drop missing verdicts keep the others."""
UNLABELLED = "no label"
NO_MAJORITY = "no majority"
NO_REFERENCE = "no_reference"
"""In place of a verdict where there was no text to compare with: nothing was judged, so it is neither right nor wrong.
Only the share of verdicts that are missing counts it."""


class Preference(NamedTuple):
    """One preference, or why there is none, in both readings."""

    as_published: str
    strict: str
    why: str
    close: bool = False
    """Whether the model's arithmetic alone could turn it."""

    @classmethod
    def of(cls, verdict: Verdict) -> Preference:
        for outcome in (verdict.as_published, verdict.strict):
            if not outcome.missing and outcome.word not in PREFERENCES:
                raise PlumblineError(
                    f"a verdict on {verdict.question!r} says {outcome} where a preference is measured",
                    where=f"instance {verdict.instance}, protocol {verdict.protocol}",
                    expected=", ".join(PREFERENCES),
                )
        return cls(str(verdict.as_published), str(verdict.strict), verdict.why, verdict.close)

    def outcome(self, reading: Reading) -> str:
        return self.as_published if reading == "as_published" else self.strict

    def missing(self, reading: Reading) -> bool:
        return self.outcome(reading) in MISSING


class Showings(NamedTuple):
    """The preferences of one judge in each order."""

    plain: Preference | None = None
    swapped: Preference | None = None
    ordered: bool = True
    not_asked: int = 0
    """Verdicts that there are not, as there was no text to compare with."""

    @property
    def preferences(self) -> tuple[Preference, ...]:
        return tuple(preference for preference in (self.plain, self.swapped) if preference is not None)


class JudgedPair(NamedTuple):
    """What a judge preferred of the two outputs of one instance, in each order, and what people prefer."""

    gold: str | None
    """Empty where the rater has no label; None where the judge is held against nobody."""
    plain: Preference | None
    swapped: Preference | None
    ordered: bool = True
    not_asked: int = 0
    """Verdicts that there are not, as there was no text to compare with."""
    people: tuple[Preference, ...] = ()
    """What people prefer who are measured in place of a judge; in which order they saw the outputs is not known."""
    against: Showings | None = None
    """Another judge that it is held against, in place of the label."""
    unlabelled: str = UNLABELLED
    """Why there is no label, where there is none."""

    @property
    def preferences(self) -> tuple[Preference, ...]:
        return self.people or Showings(self.plain, self.swapped).preferences

    @property
    def held(self) -> list[tuple[Preference, Preference]]:
        """Each preference beside that which it is held against; one with nothing to be held against is left out."""
        if self.against is None:
            label = Preference(self.gold or "", self.gold or "", "")
            return [(preference, label) for preference in self.preferences if self.gold]
        other = self.against
        if self.people:
            return [(preference, theirs) for preference in self.people for theirs in other.preferences]
        both = [(self.plain, other.plain), (self.swapped, other.swapped)]
        return [(mine, theirs) for mine, theirs in both if mine is not None and theirs is not None]

    @property
    def in_part(self) -> tuple[str, ...]:
        """The mark of a pair of which one of the readings has some verdicts and lacks others."""
        missing = [[preference.missing(reading) for preference in self.preferences] for reading in READINGS]
        return (ONE_ORDER,) if any(any(each) and not all(each) for each in missing) else ()

    @property
    def missing(self) -> tuple[str, ...]:
        return (
            tuple(preference.strict for preference in self.preferences if preference.strict in MISSING)
            + (NO_REFERENCE,) * self.not_asked
        )

    def describe(self, reading: Reading) -> str:
        words = [("-" if each is None else each.outcome(reading)) for each in (self.plain, self.swapped)]
        if self.people:
            words = [each.outcome(reading) for each in self.people]
        elif not self.ordered:
            words = words[:1]
        truth = [] if self.gold is None else [self.gold or "-"]
        if self.against is not None:
            truth = [each.outcome(reading) for each in self.against.preferences]
        return " | ".join(truth + words)

    @property
    def close(self) -> int:
        return sum(preference.close for preference in self.preferences)

    @property
    def marks(self) -> tuple[str, ...]:
        marks = {
            NO_ORDER: not self.ordered,
            "no reference": self.not_asked > 0,
            ONE_SHOWING: len(self.preferences) == 1 and not self.people,
            self.unlabelled: self.gold == "" and self.against is None,
        }
        return tuple(mark for mark, holds in marks.items() if holds)


@dataclass(frozen=True)
class PreferenceOptions(PersonOptions):
    """Of measures of preferences between two outputs."""

    question: str = BETTER
    """Which question about two outputs."""


@dataclass(frozen=True)
class PairOptions(PreferenceOptions, AgainstOptions):
    """Of measures of pairs; a row may say for its other measures what they are held against."""

    rater: str = GOLD
    """Whose labels the judge is held against. `majority`: what most raters say."""


@observer(options=PairOptions, describes="held against | verdict in stored order | swapped")
def preferences(case: Case, seen: Observation[PairOptions]) -> JudgedPair | None:
    """The preferences of a judge, and the rater's, the majority's or another judge's."""
    options = seen.options
    words = words_of(case, options.question)
    pair = preferred(case, seen, {rater: word for rater, word in words.items() if rater != options.rater})
    if pair is None:
        return None
    if other := options.against.judge:
        return pair._replace(against=showings(case, other, options.question, 0))
    others = {rater: word for rater, word in words.items() if rater != options.person}
    why = NO_MAJORITY if others and options.rater == MAJORITY else UNLABELLED
    return pair._replace(gold=preferred_by(others, options.rater), unlabelled=why)


@observer(options=PairOptions, describes="verdict in stored order | swapped")
def verdicts_alone(case: Case, seen: Observation[PairOptions]) -> JudgedPair | None:
    """The preferences of a judge, or of people."""
    return preferred(case, seen, words_of(case, seen.options.question) if seen.options.person else {})


def preferred(case: Case, seen: Observation[PreferenceOptions], words: Mapping[str, str]) -> JudgedPair | None:
    """The preferences of a judge or, where people are measured, of those of them whose words these are."""
    if not seen.options.person:
        return judged(case, seen, seen.options.question)
    people = tuple(Preference(word, word, "") for word in sorted(measured_people(words, seen.options.person).values()))
    return JudgedPair(None, None, None, people=people) if people else None


def judged(case: Case, seen: Observation[MeasureOptions], question: str = BETTER) -> JudgedPair | None:
    """The preferences of a judge."""
    shown = showings(case, seen.judge, question, seen.sample)
    return JudgedPair(None, *shown) if shown.preferences or shown.not_asked else None


@once
def showings(case: Case, judge: Judge, question: str, sample: int) -> Showings:
    """The preferences of a judge in one run, one for each order."""
    verdicts = case.verdicts.get(judge, ())
    chosen = [verdict for verdict in verdicts if verdict.question == question and verdict.sample == sample]
    judged = {verdict.showing: Preference.of(verdict) for verdict in chosen if verdict.strict.missing != NO_REFERENCE}
    unordered = judged.get(NOTHING)
    ordered = NOTHING not in [verdict.showing for verdict in chosen]
    not_asked = len(chosen) - len(judged)
    return Showings(judged.get(PLAIN, unordered), judged.get(SWAPPED, unordered), ordered, not_asked)
