"""Measures of preferences between two outputs, as LLMBar defines them (section 4.1, appendix D)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plumbline.data.verdicts import READINGS, Reading
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import Statement, mean
from plumbline.measuring.pairs import Pair, preferences, verdicts_alone
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
def accuracy(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge prefers what people prefer, over both orders; a tie is half right, no verdict is wrong.

    Held against another judge, it is wrong too where that one gives no verdict.
    """
    return compared(pair, reading, right)


@mean("match", "Match", preferences, unit=PERCENT, of="verdicts", missing="wrong")
def match(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says the very word that people say, over both orders: a tie matches a tie alone.

    No verdict matches nothing, whether the judge or the other judge that it is held against gives none.
    """
    return compared(pair, reading, lambda said, truth: float(said == truth))


def compared(pair: Pair, reading: Reading, score_of: Callable[[str, str], float]) -> list[Statement] | None:
    """Each verdict with its score; nothing where there is nothing to hold it against."""
    held = pair.held
    found = []
    for heard, truth in held:
        missing = NO_VERDICT if heard.missing(reading) else NOT_COMPARED if truth.missing(reading) else ""
        score = 0.0 if missing else score_of(heard.said(reading), truth.said(reading))
        found.append(Statement(missing or RIGHT[score], score / len(held), heard.why or truth.why))
    return found or None


@mean("agr", "Agr.", verdicts_alone, unit=PERCENT, missing=("category", "wrong"))
def agreement(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says the same in both orders; no verdict agrees with nothing.

    As published two missing verdicts are the same, whatever they lack, as None is None to the authors' code.
    """
    if pair.plain is None or pair.swapped is None:
        return None
    missing = [heard.missing(reading) for heard in (pair.plain, pair.swapped)]
    same = pair.plain.said(reading) == pair.swapped.said(reading)
    agrees = all(missing) and reading == "as_published" if any(missing) else same
    if all(heard.missing(each) for heard in (pair.plain, pair.swapped) for each in READINGS):
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
    word = NO_VERDICT if pair.plain.missing(reading) else TIE if said == TIE else "preference"
    return [Statement(word, float(said in counted), pair.plain.why)]


@mean("dif", "Dif.", verdicts_alone, unit=PERCENT, better="neither", missing="category")
def difference(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge prefers one of the outputs, as they are stored (LLMBar's Dif. of ratings)."""
    return in_stored_order(pair, reading, (FIRST, SECOND))


@mean("hedge", "Hedge", verdicts_alone, unit=PERCENT, better="neither", missing="category")
def hedging(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says that the outputs, as they are stored, are equally good."""
    return in_stored_order(pair, reading, (TIE,))


@mean("unparsed", "No verdict", verdicts_alone, unit=PERCENT, better="lower", of="verdicts", missing="category")
def no_verdict(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often there is no verdict, over both orders: unparsed, truncated, refused, or nothing to compare with."""
    whole = len(pair.heard) + pair.not_asked
    found = [Statement(NO_VERDICT, 1.0 / whole, "") for _ in range(pair.not_asked)]
    for heard in pair.heard:
        none = heard.missing(reading)
        found.append(Statement(NO_VERDICT if none else "a verdict", none / whole, heard.why))
    return found


@mean("ties", "Ties", verdicts_alone, unit=PERCENT, better="neither", of="verdicts", missing="category")
def tie_rate(pair: Pair, reading: Reading) -> list[Statement] | None:
    """How often the judge says that the outputs are equally good, over both orders."""
    found = []
    for heard in pair.heard:
        said = heard.said(reading)
        word = NO_VERDICT if heard.missing(reading) else TIE if said == TIE else "preference"
        found.append(Statement(word, (said == TIE) / len(pair.heard), heard.why))
    return found
