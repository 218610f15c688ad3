"""Measures of preferences between two outputs, as LLMBar defines them (section 4.1, appendix D)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from plumbline.data.verdicts import MISSING, Reading
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import Statement, mean, measure
from plumbline.measuring.pairs import Pair, preferences, verdicts_alone
from plumbline.measuring.raters import FIRST, PREFERENCES, SECOND, TIE

NO_VERDICT = "no verdict"
IN_NEITHER_ORDER = "no verdict in either order"
"""Why a pair agrees only as published, which takes two missing verdicts for the same one."""
RIGHT = {1.0: "right", 0.5: "tie", 0.0: "wrong"}


def right(verdict: str, gold: str) -> float:
    """A tie is half right where people preferred one output; no verdict is wrong."""
    if verdict == gold:
        return 1.0
    return 0.5 if verdict == TIE and gold != TIE else 0.0


@mean("acc", "Acc.", preferences, unit=PERCENT, of="verdicts")
def accuracy(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge prefers what people prefer, over both orders; a tie is half right, no verdict is wrong."""
    return compared(pair, reading, right)


@mean("match", "Match", preferences, unit=PERCENT, of="verdicts")
def match(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says the very word that people say, over both orders: a tie matches a tie alone."""
    return compared(pair, reading, lambda said, truth: float(said == truth))


def compared(pair: Pair, reading: Reading, score_of: Callable[[str, str], float]) -> list[Statement] | None:
    """Each verdict with its score; nothing where there is nothing to hold it against."""
    held = [(heard, truth) for heard, truth in pair.held if not truth.missing]
    found = []
    for heard, truth in held:
        said = heard.said(reading)
        score = score_of(said, truth.said(reading))
        word = NO_VERDICT if said in MISSING else RIGHT[score]
        found.append(Statement(word, score / len(held), heard.why or truth.why))
    return found or None


@mean("agr", "Agr.", verdicts_alone, unit=PERCENT)
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


@mean("dif", "Dif.", verdicts_alone, unit=PERCENT, better="neither")
def difference(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge prefers one of the outputs, as they are stored (LLMBar's Dif. of ratings)."""
    return in_stored_order(pair, reading, (FIRST, SECOND))


@mean("hedge", "Hedge", verdicts_alone, unit=PERCENT, better="neither")
def hedging(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says that the outputs, as they are stored, are equally good."""
    return in_stored_order(pair, reading, (TIE,))


@mean("unparsed", "No verdict", verdicts_alone, unit=PERCENT, better="lower", of="verdicts")
def no_verdict(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often there is no verdict, over both orders: unparsed, truncated, refused, or nothing to compare with."""
    found = []
    for heard in pair.heard:
        none = heard.said(reading) in MISSING
        found.append(Statement(NO_VERDICT if none else "a verdict", none / len(pair.heard), heard.why))
    return found


@mean("ties", "Ties", verdicts_alone, unit=PERCENT, better="neither", of="verdicts")
def tie_rate(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says that the outputs are equally good, over both orders."""
    found = []
    for heard in pair.heard:
        said = heard.said(reading)
        word = NO_VERDICT if said in MISSING else TIE if said == TIE else "preference"
        found.append(Statement(word, (said == TIE) / len(pair.heard), heard.why))
    return found


WORDS = (*PREFERENCES, *MISSING)


def words_said(pair: Pair, reading: Reading) -> list[Statement] | None:
    return [
        Statement(NO_VERDICT if heard.said(reading) in MISSING else heard.said(reading), 0.0, heard.why)
        for heard in pair.heard
    ]


def kappa_of(totals: Floats) -> Floats:
    return cohen_kappa(totals.reshape(*totals.shape[:-1], len(WORDS), len(WORDS)))


@measure("kappa", "Kappa", preferences, kappa_of, digits=3, statements=words_said, of="verdicts")
def kappa(pairs: Sequence[Pair], reading: Reading) -> Floats:
    """Cohen's kappa of the judge with people or another judge, over both orders; no verdict is a word of its own."""
    table = np.zeros((len(pairs), len(WORDS), len(WORDS)))
    for number, pair in enumerate(pairs):
        if not pair.held:
            table[number] = np.nan
        for heard, truth in pair.held:
            table[number, WORDS.index(truth.said(reading)), WORDS.index(heard.said(reading))] += 1.0
    return table.reshape(len(pairs), len(WORDS) ** 2)


def cohen_kappa(table: Floats) -> Floats:
    """Kappa of contingency tables (…, k, k); 1 where both raters use one and the same category throughout."""
    with np.errstate(invalid="ignore", divide="ignore"):
        total = table.sum(axis=(-2, -1))
        observed = np.trace(table, axis1=-2, axis2=-1) / total
        expected = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1) / total**2
        return np.where(expected == 1.0, 1.0, (observed - expected) / (1.0 - expected))
