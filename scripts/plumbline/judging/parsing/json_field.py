"""Read a word or a number from a field of a JSON object."""

from __future__ import annotations

import json
import re
from typing import Any

from plumbline.config.parsers import JsonParser
from plumbline.data.verdicts import Said
from plumbline.judging.parsing.answers import OFF_THE_SCALE, UNPARSED, Readings, looked_at, readings
from plumbline.models.asking import Completion

FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL | re.I)
NOTHING = object()
LARGEST = 1e15
"""A number beyond it, as NaN, is none."""


def read(completion: Completion, parser: JsonParser) -> Readings:
    text = looked_at(completion.text)
    as_published = _said(_field(_parsed(text, twice=True), parser.field), parser) or UNPARSED
    strict = _said(_field(_only_object(text), parser.field), parser)
    if strict and strict.number is not None and not parser.low <= strict.number <= parser.high:
        return readings(completion, as_published, UNPARSED, OFF_THE_SCALE)
    return readings(completion, as_published, strict)


def _only_object(text: str) -> Any:
    """The one object in a text: all of it, its one code fence, or what stands between its first and last brace."""
    fences = FENCED.findall(text)
    if len(fences) == 1:
        return _parsed(fences[0], twice=False)
    begin, end = text.find("{"), text.rfind("}")
    return _parsed(text[begin : end + 1], twice=False) if 0 <= begin < end else NOTHING


def _parsed(text: str, twice: bool) -> Any:
    """The value that a text is; `twice`: whether an object may name a key twice, of which the last counts."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if not twice and len(dict(pairs)) < len(pairs):
            raise ValueError("a key stands twice")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError):
        return NOTHING


def _field(value: Any, path: str) -> Any:
    for key in path.split("."):
        if isinstance(value, dict):
            value = value.get(key, NOTHING)
        elif isinstance(value, list) and re.fullmatch(r"[0-9]{1,4}", key, re.ASCII) and int(key) < len(value):
            value = value[int(key)]
        else:
            return NOTHING
    return value


def _said(value: Any, parser: JsonParser) -> Said | None:
    if parser.words:
        text = json.dumps(value) if isinstance(value, bool | int) else value
        return Said(parser.words[text]) if isinstance(text, str) and text in parser.words else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
        return None
    return Said(number=float(value))
