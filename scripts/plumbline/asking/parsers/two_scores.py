"""Read a preference from the scores that an answer gives both outputs in its last two lines (ChatEval)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isnan

from plumbline.asking.answer_text.answers import (
    OFF_THE_SCALE,
    UNPARSED,
    Readings,
    check_scale,
    readings,
    shortened,
    why_none,
)
from plumbline.asking.answer_text.statements import MARKS
from plumbline.asking.parser import parser
from plumbline.asking.scores import Pair, Scores, higher_of
from plumbline.config.parsers import Limit, Names, Parser
from plumbline.data.verdicts import Outcome
from plumbline.models.asking import Completion
from plumbline.records.errors import PlumblineError

BY_SCORES = "by its scores"
NUMBER = r"(?P<number>-?[0-9]{1,3}(?:\.[0-9]{1,6})?)"


@dataclass(frozen=True)
class TwoScoresParser(Parser):
    """A preference, by the scores of both outputs, each on a line of its own behind words that name the output.

    As published (ChatEval) these are the last two lines, with nothing but a number behind the words, and no blank line
    between or below them. Strictly each is the last line that begins with the words and gives a number, e.g. `8/10`,
    and both are on the scale.
    """

    first: str
    """What stands before the score of the output shown first, e.g. `Score of A:`."""
    second: str
    """What stands before the score of the output shown second."""
    low: Limit
    """The lowest number of the scale."""
    high: Limit
    """The highest number of the scale."""


def check(options: TwoScoresParser, where: str) -> None:
    check_scale(options.low, options.high, where)
    first, second = _plain(options.first), _plain(options.second)
    if not first or not second or first.lower() == second.lower():
        raise PlumblineError(
            "the words before a score do not say whose it is",
            where=where,
            found=f"{options.first!r}, {options.second!r}",
        )


@parser(options=TwoScoresParser, gives="preference", check=check)
def two_scores(completion: Completion, options: TwoScoresParser, names: Names) -> Readings:
    text = shortened(completion.text)
    complete = ends_with_scores(text, options)
    published = published_scores(text, options) if complete else None
    as_published = higher_of(published) if published else Outcome(missing=why_none(completion))
    stated = stated_scores(text, options)
    if stated and not all(options.low <= score <= options.high for score in stated):
        read = readings(completion, as_published, UNPARSED, OFF_THE_SCALE)
        return replace(read, scores=Scores(published, None, complete))
    read = readings(completion, as_published, higher_of(stated) if stated else None, BY_SCORES)
    return replace(read, scores=Scores(published, stated, complete))


def ends_with_scores(text: str, options: TwoScoresParser) -> bool:
    """Whether ChatEval takes the answer; it asks again for one that ends otherwise. Here blank lines do not matter."""
    lines = [line for line in text.strip().split("\n") if line]
    return len(lines) > 1 and lines[-2].startswith(options.first) and lines[-1].startswith(options.second)


def published_scores(text: str, options: TwoScoresParser) -> Pair | None:
    """What ChatEval's code for LLMBar's pairs reads in an answer that it has taken: here they do matter."""
    *_, one, other = ["", *text.split("\n")]
    try:
        pair = float(one.split(options.first)[-1]), float(other.split(options.second)[-1])
    except ValueError:
        return None
    return None if any(map(isnan, pair)) else pair  # with a score that is none, its list would lack a prediction


def stated_scores(text: str, options: TwoScoresParser) -> Pair | None:
    """The scores that a person finds."""
    found = [list(_line(_plain(words), options.high).finditer(text)) for words in (options.first, options.second)]
    if not all(found):
        return None
    first, second = (float(lines[-1]["number"]) for lines in found)
    return first, second


@lru_cache(maxsize=64)
def _line(words: str, high: float) -> re.Pattern[str]:
    named = r"[ \t]+".join(map(re.escape, words.split()))
    top = rf"(?: ?(?:/|out of) ?{re.escape(f'{high:g}')}(?!\d)| points?\b)?"
    return re.compile(rf"^{MARKS}{named}{MARKS}[:=]?{MARKS}{NUMBER}{top}{MARKS}[.,;]?{MARKS}$", re.I | re.M | re.A)


def _plain(words: str) -> str:
    """The words without the colon behind them."""
    return " ".join(words.rstrip(" :=").split())
