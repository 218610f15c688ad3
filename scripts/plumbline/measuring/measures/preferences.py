"""Measures of preferences between two outputs, as LLMBar defines them (section 4.1, appendix D)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plumbline.data.verdicts import READINGS, Reading
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import Statement, mean
from plumbline.measuring.pairs import JudgedPair, preferences, verdicts_alone
from plumbline.measuring.raters import FIRST, SECOND, TIE

NO_VERDICT = "no verdict"
NOT_COMPARED = "no verdict of the other judge"
IN_NEITHER_ORDER = "no verdict in either order"
"""Why a pair agrees only as published, which takes two missing verdicts for the same one, whatever they lack."""
RIGHT = {1.0: "right", 0.5: "tie", 0.0: "wrong"}


def right(verdict: str, gold: str) -> float:
    """A tie is half right where people preferred one output; no verdict is wrong."""
    if verdict == gold:
        return 1.0
    return 0.5 if verdict == TIE and gold != TIE else 0.0


@mean("acc", "Acc.", preferences, unit=PERCENT, of="verdicts", missing="wrong")
def accuracy(pair: JudgedPair, reading: Reading) -> list[Statement] | None:
    """How often the judge prefers what people prefer, over both orders; a tie is half right, no verdict is wrong.

    Held against another judge, it is wrong too where that one gives no verdict.
    """
    return compared(pair, reading, right)


@mean("match", "Match", preferences, unit=PERCENT, of="verdicts", missing="wrong")
def match(pair: JudgedPair, reading: Reading) -> list[Statement] | None:
    """How often the judge says the very word that people say, over both orders: a tie matches a tie alone.

    No verdict matches nothing, whether the judge or the other judge that it is held against gives none.
    """
    return compared(pair, reading, lambda word, truth: float(word == truth))


def compared(pair: JudgedPair, reading: Reading, score_of: Callable[[str, str], float]) -> list[Statement] | None:
    """Each verdict with its score; nothing where there is nothing to hold it against."""
    held = pair.held
    statements = []
    for preference, truth in held:
        missing = NO_VERDICT if preference.missing(reading) else NOT_COMPARED if truth.missing(reading) else ""
        score = 0.0 if missing else score_of(preference.outcome(reading), truth.outcome(reading))
        statements.append(Statement(missing or RIGHT[score], score / len(held), preference.why or truth.why))
    return statements or None


@mean("agr", "Agr.", verdicts_alone, unit=PERCENT, missing=("category", "wrong"))
def agreement(pair: JudgedPair, reading: Reading) -> list[Statement] | None:
    """How often the judge says the same in both orders; no verdict agrees with nothing.

    As published two missing verdicts are the same, whatever they lack, as None is None to the authors' code.
    """
    if pair.plain is None or pair.swapped is None:
        return None
    missing = [preference.missing(reading) for preference in (pair.plain, pair.swapped)]
    same = pair.plain.outcome(reading) == pair.swapped.outcome(reading)
    agrees = all(missing) and reading == "as_published" if any(missing) else same
    if all(preference.missing(each) for preference in (pair.plain, pair.swapped) for each in READINGS):
        why = IN_NEITHER_ORDER
    else:
        changed = {preference.why for preference in pair.preferences if preference.as_published != preference.strict}
        why = " and ".join(sorted(changed - {""}))
    return [Statement("agreeing" if agrees else "not agreeing", float(agrees), why)]


def in_stored_order(pair: JudgedPair, reading: Reading, counted: Sequence[str]) -> list[Statement] | None:
    """Whether the verdict in stored order is one of some words."""
    if pair.plain is None:
        return None
    outcome = pair.plain.outcome(reading)
    word = NO_VERDICT if pair.plain.missing(reading) else TIE if outcome == TIE else "preference"
    return [Statement(word, float(outcome in counted), pair.plain.why)]


@mean("dif", "Dif.", verdicts_alone, unit=PERCENT, better="neither", missing="category")
def difference(pair: JudgedPair, reading: Reading) -> list[Statement] | None:
    """How often the judge prefers one of the outputs, as they are stored (LLMBar's Dif. of ratings)."""
    return in_stored_order(pair, reading, (FIRST, SECOND))


@mean("hedge", "Hedge", verdicts_alone, unit=PERCENT, better="neither", missing="category")
def hedging(pair: JudgedPair, reading: Reading) -> list[Statement] | None:
    """How often the judge says that the outputs, as they are stored, are equally good."""
    return in_stored_order(pair, reading, (TIE,))


@mean("unparsed", "No verdict", verdicts_alone, unit=PERCENT, better="lower", of="verdicts", missing="category")
def no_verdict(pair: JudgedPair, reading: Reading) -> list[Statement] | None:
    """How often there is no verdict, over both orders: unparsed, truncated, refused, failed, or nothing to compare
    with."""
    whole = len(pair.preferences) + pair.not_asked
    statements = [Statement(NO_VERDICT, 1.0 / whole, "") for _ in range(pair.not_asked)]
    for preference in pair.preferences:
        none = preference.missing(reading)
        statements.append(Statement(NO_VERDICT if none else "a verdict", none / whole, preference.why))
    return statements


@mean("ties", "Ties", verdicts_alone, unit=PERCENT, better="neither", of="verdicts", missing="category")
def tie_rate(pair: JudgedPair, reading: Reading) -> list[Statement] | None:
    """How often the judge says that the outputs are equally good, over both orders."""
    statements = []
    for preference in pair.preferences:
        outcome = preference.outcome(reading)
        word = NO_VERDICT if preference.missing(reading) else TIE if outcome == TIE else "preference"
        statements.append(Statement(word, (outcome == TIE) / len(pair.preferences), preference.why))
    return statements
