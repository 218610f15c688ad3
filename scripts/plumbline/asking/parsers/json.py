"""Read a word or a number from a field of a JSON object."""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from plumbline.asking.answer_text.answers import OFF_THE_SCALE, UNPARSED, Readings, check_scale, looked_at, readings
from plumbline.asking.parser import parser
from plumbline.config.parsers import Gives, Limit, Names, Parser, Word
from plumbline.data.verdicts import Outcome
from plumbline.models.asking import Completion
from plumbline.records.errors import PlumblineError

FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL | re.I)
NUMBER = r"[-+]?\d{1,15}(?:\.\d{1,15})?"
NOTHING = object()
LARGEST = 1e15
"""A number beyond it, as NaN, is none."""


@dataclass(frozen=True)
class JsonParser(Parser):
    """A word or a number in a field of a JSON object.

    As published the answer must be nothing but the object, unless `published` says otherwise. Strictly it may stand in
    a text or a code fence, but must be the only one, name no key twice, and have its number on the scale.
    """

    field: str
    """Where it is: keys and list positions (from 0), joined by dots."""
    words: dict[str, Word] = dataclasses.field(default_factory=dict)
    """The texts that may stand there and what each means (`true` and `false` too); without any, a number is read."""
    low: Limit = 0.0
    """The lowest number of the scale."""
    high: Limit = 0.0
    """The highest number of the scale."""
    spelled: bool = False
    """A number may also stand there as a text: `"7"`; strictly as `"7/10"` too, where the scale ends at 10."""
    published: Literal["whole", "only"] = "whole"
    """As published the object is the whole answer, or the only one in it: for authors whose call kept the model from
    writing anything else, where ours does not."""


def states(options: JsonParser) -> Gives:
    if not options.words:
        return "number"
    return "yes_no" if set(options.words.values()) <= {"yes", "no"} else "preference"


def check(options: JsonParser, where: str) -> None:
    meant = set(options.words.values())
    if not meant:
        check_scale(options.low, options.high, where)
    elif meant & {"yes", "no"} and meant & {"first", "second", "tie"}:
        raise PlumblineError("words mean either yes or no, or which output is preferred", where=f"{where}.words")


@parser(options=JsonParser, gives=states, check=check, name="json")
def json_field(completion: Completion, options: JsonParser, names: Names) -> Readings:
    text = looked_at(completion.text)
    whole = _parsed(text, twice=True) if options.published == "whole" else _only_object(text, twice=True)
    as_published = _outcome(_field(whole, options.field), options) or UNPARSED
    strict = _outcome(_field(_only_object(text, twice=False), options.field), options, stated=True)
    if strict and strict.number is not None and not options.low <= strict.number <= options.high:
        return readings(completion, as_published, UNPARSED, OFF_THE_SCALE)
    return readings(completion, as_published, strict)


def _only_object(text: str, twice: bool) -> Any:
    """The one object in a text: all of it, its one code fence, or what stands between its first and last brace."""
    fences = FENCED.findall(text)
    if len(fences) == 1:
        return _parsed(fences[0], twice)
    begin, end = text.find("{"), text.rfind("}")
    return _parsed(text[begin : end + 1], twice) if 0 <= begin < end else NOTHING


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


def _outcome(value: Any, options: JsonParser, stated: bool = False) -> Outcome | None:
    if options.words:
        text = json.dumps(value) if isinstance(value, bool | int) else value
        return Outcome(options.words[text]) if isinstance(text, str) and text in options.words else None
    if options.spelled and isinstance(value, str):
        value = _spelled(value, options.high if stated else None)
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
        return None
    return Outcome(number=float(value))


def _spelled(text: str, top: float | None) -> float | None:
    """The number that a text is; of so many at most, where it may say so."""
    out_of = "" if top is None else rf"(?: ?(?:/|out of) ?{top:g})?"
    number = re.fullmatch(rf"\s*({NUMBER}){out_of}\s*", text, re.ASCII)
    return float(number[1]) if number else None
