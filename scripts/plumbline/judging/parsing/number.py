"""Read a number on a scale."""

from __future__ import annotations

import re

from plumbline.config.parsers import NumberParser
from plumbline.data.verdicts import Said
from plumbline.judging.parsing.answers import OFF_THE_SCALE, Readings, looked_at, readings, why_none
from plumbline.judging.parsing.statements import stated
from plumbline.models.asking import Completion

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def read(completion: Completion, parser: NumberParser) -> Readings:
    """As published any number of at most three digits (LLMBar, appendix D); strictly one that is on the scale."""
    text = looked_at(completion.text)
    number, strict = published(text, parser), _stated(text, parser)
    as_published = Said(missing=why_none(completion)) if number is None else Said(number=number)
    if strict is not None and not parser.low <= strict <= parser.high:
        return readings(completion, as_published, Said(missing="unparsed"), OFF_THE_SCALE)
    return readings(completion, as_published, None if strict is None else Said(number=strict))


def published(text: str, parser: NumberParser) -> float | None:
    """The number that the authors' code takes."""
    if parser.published == "alone":
        return float(text) if re.fullmatch(_digits(parser), text, re.ASCII) else None
    found = re.findall(rf"(?<![\w.]){_digits(parser)}(?!\w|\.\d)", text, re.ASCII)
    if not found:
        return None
    return float(found[0] if parser.published == "first" else found[-1])


def _stated(text: str, parser: NumberParser) -> float | None:
    """The number that the answer states last."""
    top = re.escape(f"{parser.high:g}")
    words = "|".join(WORDS)
    value = rf"(?:{_digits(parser)}|(?:{words})\b)(?: ?(?:/|out of) ?{top}(?!\d)| (?:stars?|points?)\b)?"
    values = stated(text, value, value, stop="!?")  # a line `4.` is the beginning of a list
    if not values:
        return None
    digits = re.match(_digits(parser), values[-1])
    return float(digits[0] if digits else WORDS.index(re.split(r"\W", values[-1].lower())[0]))


def _digits(parser: NumberParser) -> str:
    return ("-?" if parser.low < 0 else "") + r"[0-9]{1,3}" + ("" if parser.whole else r"(?:\.[0-9]{1,6})?")
