"""Measures of preferences between two outputs, as LLMBar defines them (section 4.1, appendix D)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plumbline.data.labels import BETTER
from plumbline.data.verdicts import MISSING, NOTHING, PLAIN, SWAPPED, Reading, Verdict
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cases import Case
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measures import Statement, mean, measure
from plumbline.measuring.units import Observation, observer
from plumbline.records.errors import PlumblineError

FIRST, SECOND, TIE = "first", "second", "tie"
PREFERENCES = (FIRST, SECOND, TIE)
NO_VERDICT = "no verdict"
IN_NEITHER_ORDER = "no verdict in either order"
"""Why a pair agrees only as published, which takes two missing verdicts for the same one."""
NO_ORDER = "no order"
"""The mark of a judge that is not shown the outputs in an order: it counts as if it said the same in both."""
ONE_SHOWING = "one showing only"
UNLABELLED = "no label"


class Heard(NamedTuple):
    """One preference, or why there is none, in both readings."""

    as_published: str
    strict: str
    why: str
    close: bool = False
    """Whether the model's arithmetic alone could turn it."""

    @classmethod
    def of(cls, verdict: Verdict) -> Heard:
        for said in (verdict.as_published, verdict.strict):
            if not said.missing and said.word not in PREFERENCES:
                raise PlumblineError(
                    f"a verdict on {verdict.question!r} says {said} where a preference is measured",
                    where=f"instance {verdict.instance}, protocol {verdict.protocol}",
                    expected=", ".join(PREFERENCES),
                )
        return cls(str(verdict.as_published), str(verdict.strict), verdict.why, verdict.close)

    def said(self, reading: Reading) -> str:
        return self.as_published if reading == "as_published" else self.strict


class Pair(NamedTuple):
    """What a judge preferred of the two outputs of one instance, in each order, and what people prefer."""

    gold: str
    """Empty where the rater said nothing."""
    plain: Heard | None
    swapped: Heard | None
    ordered: bool = True

    @property
    def heard(self) -> list[Heard]:
        return [heard for heard in (self.plain, self.swapped) if heard is not None]

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(heard.strict for heard in self.heard if heard.strict in MISSING)

    def describe(self, reading: Reading) -> str:
        heard = [("-" if each is None else each.said(reading)) for each in (self.plain, self.swapped)]
        return " | ".join([self.gold or "-", *(heard if self.ordered else heard[:1])])

    @property
    def close(self) -> int:
        return sum(heard.close for heard in self.heard)

    @property
    def marks(self) -> tuple[str, ...]:
        marks = {NO_ORDER: not self.ordered, ONE_SHOWING: len(self.heard) == 1, UNLABELLED: not self.gold}
        return tuple(mark for mark, holds in marks.items() if holds)


@observer("question", "rater", describes="label | verdict in stored order | swapped")
def preferences(case: Case, seen: Observation) -> Pair | None:
    """The preferences of a judge, and the rater's."""
    heard = {
        verdict.showing: Heard.of(verdict)
        for verdict in case.verdicts.get(seen.judge, ())
        if verdict.question == (seen.question or BETTER) and verdict.sample == 0
    }
    if not heard:
        return None
    unordered = heard.get(NOTHING)
    plain, swapped = heard.get(PLAIN, unordered), heard.get(SWAPPED, unordered)
    return Pair(preferred_by(case, seen), plain, swapped, ordered=unordered is None)


def preferred_by(case: Case, seen: Observation) -> str:
    words = [
        label.word
        for label in case.labels
        if label.rater == seen.rater and label.question == (seen.question or BETTER) and label.about is None
    ]
    if len(words) > 1 or not set(words) <= set(PREFERENCES):
        raise PlumblineError(
            f"the rater {seen.rater!r} says {', '.join(words)} of the instance {case.instance.id}",
            where=case.instance.origin,
            expected=f"one word: {', '.join(PREFERENCES)}",
        )
    return words[0] if words else ""


RIGHT = {1.0: "right", 0.5: "tie", 0.0: "wrong"}


def right(verdict: str, gold: str) -> float:
    """A tie is half right where people preferred one output; no verdict is wrong."""
    if verdict == gold:
        return 1.0
    return 0.5 if verdict == TIE and gold != TIE else 0.0


@mean("acc", "Acc.", preferences, unit=PERCENT, of="verdicts")
def accuracy(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge prefers what people prefer, over both orders; a tie is half right, no verdict is wrong."""
    if not pair.gold:
        return None
    found = []
    for heard in pair.heard:
        score = right(heard.said(reading), pair.gold)
        word = NO_VERDICT if heard.said(reading) in MISSING else RIGHT[score]
        found.append(Statement(word, score / len(pair.heard), heard.why))
    return found


@mean("agr", "Agr.", preferences, unit=PERCENT)
def agreement(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says the same in both orders. As published, two missing verdicts are the same."""
    if pair.plain is None or pair.swapped is None:
        return None
    plain, swapped = pair.plain.said(reading), pair.swapped.said(reading)
    agrees = plain == swapped and (reading == "as_published" or plain not in MISSING)
    strict = {pair.plain.strict, pair.swapped.strict}
    if pair.plain.as_published == pair.swapped.as_published in MISSING and strict <= set(MISSING):
        why = IN_NEITHER_ORDER
    else:
        changed = {heard.why for heard in pair.heard if heard.as_published != heard.strict}
        why = " and ".join(sorted(changed - {""}))
    return [Statement("agreeing" if agrees else "not agreeing", float(agrees), why)]


def in_stored_order(pair: Pair, reading: Reading, counted: Sequence[str]) -> list[Statement] | None:
    """Whether the verdict in stored order is one of some words."""
    if pair.plain is None:
        return None
    said = pair.plain.said(reading)
    word = NO_VERDICT if said in MISSING else TIE if said == TIE else "preference"
    return [Statement(word, float(said in counted), pair.plain.why)]


@mean("dif", "Dif.", preferences, unit=PERCENT, better="neither")
def difference(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge prefers one of the outputs, as they are stored (LLMBar's Dif. of ratings)."""
    return in_stored_order(pair, reading, (FIRST, SECOND))


@mean("hedge", "Hedge", preferences, unit=PERCENT, better="neither")
def hedging(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says that the outputs, as they are stored, are equally good."""
    return in_stored_order(pair, reading, (TIE,))


@mean("unparsed", "No verdict", preferences, unit=PERCENT, better="lower", of="verdicts")
def no_verdict(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often there is no verdict, over both orders: unparsed, truncated or refused."""
    found = []
    for heard in pair.heard:
        none = heard.said(reading) in MISSING
        found.append(Statement(NO_VERDICT if none else "a verdict", none / len(pair.heard), heard.why))
    return found


@mean("ties", "Ties", preferences, unit=PERCENT, better="neither", of="verdicts")
def tie_rate(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says that the outputs are equally good, over both orders."""
    found = []
    for heard in pair.heard:
        said = heard.said(reading)
        word = NO_VERDICT if said in MISSING else TIE if said == TIE else "preference"
        found.append(Statement(word, (said == TIE) / len(pair.heard), heard.why))
    return found


WORDS = (*PREFERENCES, *MISSING)


def words_of(pair: Pair, reading: Reading) -> list[Statement] | None:
    return [
        Statement(NO_VERDICT if heard.said(reading) in MISSING else heard.said(reading), 0.0, heard.why)
        for heard in pair.heard
    ]


def kappa_of(totals: Floats) -> Floats:
    return cohen_kappa(totals.reshape(*totals.shape[:-1], len(WORDS), len(WORDS)))


@measure("kappa", "Kappa", preferences, kappa_of, digits=3, statements=words_of, of="verdicts")
def kappa(pairs: Sequence[Pair], reading: Reading) -> Floats:
    """Cohen's kappa between the judge and people, over both orders; no verdict is a word of its own."""
    table = np.zeros((len(pairs), len(WORDS), len(WORDS)))
    for number, pair in enumerate(pairs):
        if not pair.gold:
            table[number] = np.nan
            continue
        for heard in pair.heard:
            table[number, WORDS.index(pair.gold), WORDS.index(heard.said(reading))] += 1.0
    return table.reshape(len(pairs), -1)


def cohen_kappa(table: Floats) -> Floats:
    """Kappa of contingency tables (…, k, k); 1 where both raters use one and the same category throughout."""
    total = table.sum(axis=(-2, -1))
    observed = np.trace(table, axis1=-2, axis2=-1) / total
    expected = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1) / total**2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected == 1.0, 1.0, (observed - expected) / (1.0 - expected))
