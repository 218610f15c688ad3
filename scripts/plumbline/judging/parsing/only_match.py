"""Read a preference by the only match of two patterns (AlpacaFarm), and strictly by what the answer concludes with."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from plumbline.config.parsers import JsonParser, Names, OnlyMatchParser, Word
from plumbline.data.verdicts import Said
from plumbline.judging.parsing import json_field
from plumbline.judging.parsing.answers import UNPARSED, Readings, looked_at, readings, shortened
from plumbline.judging.parsing.patterns import concluded
from plumbline.models.asking import Completion

TRUE_FOR_THE_FIRST: dict[str, Word] = {"true": "first", "false": "second"}


class Match(NamedTuple):
    """Where a pattern matched, and which output it means."""

    start: int
    end: int
    word: str


def read(completion: Completion, parser: OnlyMatchParser, names: Names) -> Readings:
    """As published the answer is searched as it came, with the space around it."""
    return readings(completion, _only(shortened(completion.text), parser), _strict(completion, parser, names))


def _strict(completion: Completion, parser: OnlyMatchParser, names: Names) -> Said | None:
    if not parser.field:
        return concluded(looked_at(completion.text), names)
    said = json_field.read(completion, JsonParser("json", parser.field, TRUE_FOR_THE_FIRST)).strict
    return None if said.missing else said


def _only(text: str, parser: OnlyMatchParser) -> Said:
    """What comes after a match is searched as a text of its own, so that a pattern may take its begin for a line's."""
    found = _earliest(text, parser)
    return Said(found.word) if found and not _earliest(text[found.end :], parser) else UNPARSED


def _earliest(text: str, parser: OnlyMatchParser) -> Match | None:
    """The match that begins first; of two that begin together, the first output's."""
    patterns = (("first", parser.first), ("second", parser.second))
    found = ((word, _compiled(pattern).search(text)) for word, pattern in patterns)
    return min((Match(*match.span(), word) for word, match in found if match), key=lambda m: m.start, default=None)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
