"""Whether the parsers that a wording declares can read anything, and what a step's answers must state."""

from __future__ import annotations

import re
from collections.abc import Collection

from plumbline.config.parsers import (
    Gives,
    JsonParser,
    LastWordParser,
    NumberParser,
    OnlyMatchParser,
    Parser,
    PatternParser,
    RankingParser,
    TextParser,
    gives,
)
from plumbline.judging.parsing.last_word import plain
from plumbline.records.errors import PlumblineError


def check_parser(parser: Parser, where: str) -> None:
    match parser:
        case PatternParser() | OnlyMatchParser():
            for name in ("first", "second", "tie"):
                check_expression(getattr(parser, name, ""), f"{where}.{name}")
        case LastWordParser():
            _words(parser, where)
        case NumberParser():
            _scale(parser, where)
        case RankingParser() if parser.first == parser.second:
            raise PlumblineError("both outputs have the same name in a ranking", where=where, found=parser.first)
        case JsonParser():
            if not parser.words:
                _scale(parser, where)
            elif {"yes", "no"} & set(parser.words.values()) and {"first", "second", "tie"} & set(parser.words.values()):
                raise PlumblineError(
                    "words mean either yes or no, or which output is preferred", where=f"{where}.words"
                )
        case TextParser() if not parser.after.strip():
            raise PlumblineError("a parser of the kind 'text' needs a marker", where=f"{where}.after")
        case _:
            return


def check_gives(parser: Parser, wanted: Collection[Gives], where: str) -> None:
    """Refuse a parser for a step whose answers state something else."""
    found = gives(parser)
    if found not in wanted:
        expected = " or ".join(STATED[one] for one in wanted)
        raise PlumblineError(
            f"a parser of the kind {parser.kind!r} reads {STATED[found]}", where=where, expected=expected
        )


def check_expression(pattern: str, where: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise PlumblineError(f"a regular expression is not one ({error})", where=where, found=pattern) from error


STATED: dict[Gives, str] = {"preference": "a preference", "number": "a number", "yes_no": "yes or no", "text": "a text"}


def _words(parser: LastWordParser, where: str) -> None:
    """The words differ where it matters: by more than case and punctuation."""
    found: dict[str, str] = {}
    for word in parser.words:
        if not plain(word) or len(word.split()) != 1:
            raise PlumblineError("a last word is one word", where=f"{where}.words", found=repr(word))
        if plain(word) in found:
            what = f"the words {found[plain(word)]!r} and {word!r} differ only in case or punctuation"
            raise PlumblineError(what, where=f"{where}.words")
        found[plain(word)] = word
    if not found:
        raise PlumblineError("a parser of the kind 'last_word' needs words", where=f"{where}.words")


def _scale(parser: NumberParser | JsonParser, where: str) -> None:
    if parser.low >= parser.high:
        found = f"low {parser.low:g}, high {parser.high:g}"
        raise PlumblineError("a scale ends above its beginning", where=where, found=found)
