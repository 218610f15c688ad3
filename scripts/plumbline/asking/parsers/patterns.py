"""Read a preference by patterns (LLMBar's released code), and strictly by what the answer concludes with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from plumbline.asking.answer_text.answers import UNPARSED, Readings, concluded, looked_at, readings
from plumbline.asking.parser import parser
from plumbline.config.parsers import Names, Parser
from plumbline.config.typed import Expression
from plumbline.data.verdicts import Outcome
from plumbline.models.asking import Completion


@dataclass(frozen=True)
class PatternParser(Parser):
    """A preference, by patterns as published: regular expressions, searched in the stripped answer in this order.

    Strictly: what the answer concludes with.
    """

    first: Expression
    """Matches when the first output shown is preferred."""
    second: Expression
    """Matches when the second output shown is preferred."""
    tie: Expression = ""
    """Matches when neither is preferred (empty: the authors know no tie)."""


@parser(options=PatternParser, gives="preference")
def patterns(completion: Completion, options: PatternParser, names: Names) -> Readings:
    """As published the first pattern that is found anywhere wins, the first output's before the second's."""
    text = looked_at(completion.text)
    return readings(completion, _found_first(text, options), concluded(text, names))


def _found_first(text: str, options: PatternParser) -> Outcome:
    for word, pattern in (("first", options.first), ("second", options.second), ("tie", options.tie)):
        if pattern and _compiled(pattern).search(text):
            return Outcome(word)
    return UNPARSED


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
