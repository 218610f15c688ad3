"""Read a preference by the only match of two patterns (AlpacaFarm), and strictly by what the answer concludes with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from plumbline.asking.answer_text.answers import UNPARSED, Readings, concluded, looked_at, readings, shortened
from plumbline.asking.parser import parser
from plumbline.asking.parsers.json import JsonParser, json_field
from plumbline.config.parsers import Names, Parser, Word
from plumbline.config.typed import Expression
from plumbline.data.verdicts import Outcome
from plumbline.models.asking import Completion

TRUE_FOR_THE_FIRST: dict[str, Word] = {"true": "first", "false": "second"}


class Match(NamedTuple):
    """Where a pattern matched, and which output it means."""

    start: int
    end: int
    word: str


@dataclass(frozen=True)
class OnlyMatchParser(Parser):
    """A preference, by patterns as published in AlpacaFarm: the one place in the whole answer where either matches.

    Where there is none, or a second one after it, the answer states nothing. Strictly: what the answer concludes with,
    or with `field` what that field of its JSON object says.
    """

    first: Expression
    """Matches when the first output shown is preferred."""
    second: Expression
    """Matches when the second output shown is preferred."""
    field: str = ""
    """A field of a JSON object (keys joined by dots) that is true when the first output shown is preferred, else
    false. Empty: answers are no JSON."""


@parser(options=OnlyMatchParser, gives="preference")
def only_match(completion: Completion, options: OnlyMatchParser, names: Names) -> Readings:
    """As published the answer is searched as it came, with the space around it."""
    return readings(completion, _only(shortened(completion.text), options), _strict(completion, options, names))


def _strict(completion: Completion, options: OnlyMatchParser, names: Names) -> Outcome | None:
    if not options.field:
        return concluded(looked_at(completion.text), names)
    outcome = json_field(completion, JsonParser("json", options.field, TRUE_FOR_THE_FIRST), names).strict
    return None if outcome.missing else outcome


def _only(text: str, options: OnlyMatchParser) -> Outcome:
    """What comes after a match is searched as a text of its own, so that a pattern may take its begin for a line's."""
    first = _earliest(text, options)
    return Outcome(first.word) if first and not _earliest(text[first.end :], options) else UNPARSED


def _earliest(text: str, options: OnlyMatchParser) -> Match | None:
    """The match that begins first; of two that begin together, the first output's."""
    patterns = (("first", options.first), ("second", options.second))
    matches = ((word, _compiled(pattern).search(text)) for word, pattern in patterns)
    return min((Match(*match.span(), word) for word, match in matches if match), key=lambda m: m.start, default=None)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
