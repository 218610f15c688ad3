"""Recorded statements: which there are about an instance, and what each says."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from plumbline.data.labels import BETTER
from plumbline.data.loaded import GOLDS
from plumbline.data.verdicts import MISSING, SWAPPED, Outcome, Showing
from plumbline.records.errors import PlumblineError
from plumbline.records.files import canonical

WHAT_IS_RECORDED = "recorded"
"""The step that asks what there is about an instance. The step of a text that is asked for, or of all statements on one
question, is `recorded/QUESTION`; that of a verdict says where it stands: `recorded/FILE, row 7`."""
OF_A_ROW = ("instance", "subset", "question", "showing", "system", "sample", "answer", "text", "finish")
"""Our names of the columns that a file of recorded statements has."""
YES_NO = {"yes": "yes", "no": "no", "true": "yes", "false": "no"}
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.ASCII)
EXCHANGED = {"first": "second", "second": "first"}


class RecordedPlace(NamedTuple):
    """What one statement about an instance answers."""

    question: str
    showing: Showing
    sample: int = 0

    @property
    def step(self) -> str:
        return f"{WHAT_IS_RECORDED}/{self.question}"

    @classmethod
    def of(cls, step: str, showing: Showing, sample: int) -> RecordedPlace:
        return cls(step.removeprefix(f"{WHAT_IS_RECORDED}/"), showing, sample)

    def __str__(self) -> str:
        return f"question {self.question!r}, showing {self.showing}, sample {self.sample}"


class RecordedStatement(NamedTuple):
    """An answer as a file has it."""

    place: RecordedPlace
    answer: str
    where: str
    """Where in its source it stands; empty of what is counted when it is asked for."""

    @property
    def step(self) -> str:
        return f"{WHAT_IS_RECORDED}/{self.where or self.place.question}"


def listed(places: Iterable[RecordedPlace]) -> str:
    """Places as an answer to the step that asks for them."""
    return canonical([list(place) for place in places])


def stated(statements: Iterable[RecordedStatement]) -> str:
    """Statements as an answer to the step that asks for them."""
    return canonical([[*place, answer, where] for place, answer, where in statements])


def statements_in(text: str) -> list[RecordedStatement]:
    try:
        return [
            RecordedStatement(RecordedPlace(question, showing, sample), answer, where)
            for question, showing, sample, answer, where in json.loads(text)
        ]
    except (ValueError, TypeError) as error:
        raise damaged(text) from error


def places_in(text: str) -> list[RecordedPlace]:
    try:
        return [RecordedPlace(str(at[0]), str(at[1]), int(at[2])) for at in json.loads(text)]
    except (ValueError, TypeError, IndexError) as error:
        raise damaged(text) from error


def damaged(text: str) -> PlumblineError:
    return PlumblineError("a list of recorded statements is damaged", found=repr(text)[:120])


def read_answer(text: str, place: RecordedPlace, values: Mapping[str, str], where: str) -> Outcome:
    """A recorded answer as a word, a number, or why there is none; about outputs as they are stored.

    `values` says what the file's own answers mean. An answer that means nothing is refused: it may be a misspelling.
    """
    word = values.get(text, text).strip().lower()
    if word in MISSING:
        return Outcome(missing=word)
    if place.question == BETTER:
        if as_integer(word) in GOLDS:
            preferred = GOLDS[as_integer(word)]
            return Outcome(EXCHANGED.get(preferred, preferred) if place.showing == SWAPPED else preferred)
        raise unknown(text, place, where, "first, second or tie (or 1, 2, 0)")
    if word in YES_NO:
        return Outcome(YES_NO[word])
    if NUMBER.fullmatch(word) and math.isfinite(float(word)):
        return Outcome(number=float(word))
    if text in values:
        return Outcome(values[text])
    raise unknown(text, place, where, "yes, no or a number")


def as_integer(word: str) -> str:
    """`1.0` as `1`: so some writers of CSV and Parquet spell whole numbers."""
    return str(int(float(word))) if NUMBER.fullmatch(word) and float(word).is_integer() else word


def unknown(text: str, place: RecordedPlace, where: str, expected: str) -> PlumblineError:
    return PlumblineError(
        f"a recorded answer to {place.question!r} is not understood",
        where=where,
        expected=f"{expected}; or {', '.join(MISSING)}",
        found=repr(text)[:120],
        do="say what it means in the model's file, e.g. recorded: {values: {answer: {garbage: unparsed}}}",
    )
