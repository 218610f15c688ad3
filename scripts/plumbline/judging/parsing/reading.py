"""The one place where answers are read: each kind of parser by its reader."""

from __future__ import annotations

from plumbline.config.parsers import (
    JsonParser,
    LastWordParser,
    ListParser,
    Names,
    NumberParser,
    OnlyMatchParser,
    Parser,
    PatternParser,
    RankingParser,
    TextParser,
    YesNoParser,
)
from plumbline.judging.parsing import items, json_field, last_word, number, only_match, patterns, ranking, yes_no
from plumbline.judging.parsing.answers import Readings
from plumbline.models.asking import Completion


def read(completion: Completion, parser: Parser, names: Names) -> Readings:
    """What an answer says, as published and strictly. `names` are what its prompt calls the two outputs."""
    match parser:
        case PatternParser():
            return patterns.read(completion, parser, names)
        case OnlyMatchParser():
            return only_match.read(completion, parser, names)
        case LastWordParser():
            return last_word.read(completion, parser, names)
        case NumberParser():
            return number.read(completion, parser)
        case YesNoParser():
            return yes_no.read(completion, parser)
        case RankingParser():
            return ranking.read(completion, parser)
        case JsonParser():
            return json_field.read(completion, parser)
        case ListParser() | TextParser():
            raise TypeError(f"a parser of the kind {parser.kind!r} reads no verdict")


def read_text(completion: Completion, parser: Parser | None) -> str:
    """What a model wrote for itself: the text, the part of it that a parser finds, or a list's items as lines."""
    match parser:
        case TextParser():
            return items.read_text(completion.text.strip(), parser)
        case ListParser():
            return "\n".join(items.read_items(completion.text.strip(), parser))
        case _:
            return completion.text.strip()
