"""Read a preference by patterns (LLMBar's released code), and strictly by what the answer concludes with."""

from __future__ import annotations

import re
from functools import lru_cache

from plumbline.config.parsers import Names, PatternParser
from plumbline.data.verdicts import Said
from plumbline.judging.conclusion import conclusion
from plumbline.judging.parsing.answers import UNPARSED, Readings, looked_at, readings
from plumbline.models.asking import Completion


def read(completion: Completion, parser: PatternParser, names: Names) -> Readings:
    """As published the first pattern that is found anywhere wins, the first output's before the second's."""
    text = looked_at(completion.text)
    return readings(completion, _found_first(text, parser), concluded(text, names))


def concluded(text: str, names: Names) -> Said | None:
    """What an answer concludes with, by the same rules for every model."""
    word = conclusion(text, names.first, names.second)
    return None if word == "none" else Said(word)


def _found_first(text: str, parser: PatternParser) -> Said:
    for word, pattern in (("first", parser.first), ("second", parser.second), ("tie", parser.tie)):
        if pattern and _compiled(pattern).search(text):
            return Said(word)
    return UNPARSED


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
