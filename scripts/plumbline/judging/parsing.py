"""Read a preference or a score from what a model wrote: twice, as the authors did and strictly."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from plumbline.config import schema
from plumbline.data.verdicts import Missing, Said
from plumbline.judging.conclusion import conclusion, declines
from plumbline.models.asking import Completion

Word = Literal["first", "second", "tie", "unparsed", "truncated", "refused"]
REFUSED = frozenset({"content_filter", "content management policy", "refusal"})
TRUNCATED = frozenset({"length", "context"})
HIGHEST = 9.0
"""Top of the scale that ratings are asked for."""
BY_CONCLUSION = "by its conclusion"
NONE_GIVEN = "none given"
CUT_OFF = "cut off"
DECLINED = "declined"
OFF_THE_SCALE = "off the scale"
LONGEST_READ = 20_000
"""Characters of an answer that are looked at: a megabyte of one letter must not stall a parser."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer read two ways."""

    as_published: Word
    strict: Word
    why: str = field(default="", compare=False)
    """Where the two differ: what the strict reading goes by."""

    def swapped(self) -> Reading:
        as_published, strict = (
            EXCHANGED.get(self.as_published, self.as_published),
            EXCHANGED.get(self.strict, self.strict),
        )
        return Reading(as_published, strict, self.why)


EXCHANGED: dict[Word, Word] = {"first": "second", "second": "first"}
GOES_BY: dict[Word, str] = {"unparsed": NONE_GIVEN, "truncated": CUT_OFF, "refused": DECLINED}
"""What a strict reading without a verdict goes by, where the published one differs."""


def read_preference(completion: Completion, parser: schema.Parser, names: schema.Names) -> Reading:
    """Which of the two outputs shown the answer prefers.

    As published: the first pattern that is found anywhere wins, the first output's before the second's
    (LLMBar's released code). Strictly: what the answer concludes with, by the same rules for every model.
    """
    text = _looked_at(completion.text)
    as_published = _found_first(text, parser)
    concluded = conclusion(text, names.first, names.second)
    strict = why_none(completion) if concluded == "none" else concluded
    return Reading(as_published, strict, "" if strict == as_published else GOES_BY.get(strict, BY_CONCLUSION))


def read_score(completion: Completion) -> float | None:
    """The whole number an answer consists of, on or off the scale; None for anything else."""
    text = _looked_at(completion.text)
    return float(text) if re.fullmatch(r"[0-9]{1,3}", text, re.ASCII) else None


def read_rating(completion: Completion) -> tuple[Said, Said, str]:
    """A score as published and strictly, and where they differ why (LLMBar, appendix D).

    As published any whole number is a score; strictly one off the scale from 0 to 9 is none.
    """
    score = read_score(completion)
    if score is None:
        missing = Said(missing=why_none(completion))
        return missing, missing, ""
    if score <= HIGHEST:
        return Said(number=score), Said(number=score), ""
    return Said(number=score), Said(missing="unparsed"), OFF_THE_SCALE


def why_none(completion: Completion) -> Missing:
    """Why there is no verdict in an answer."""
    if completion.finish in REFUSED or declines(_looked_at(completion.text)):
        return "refused"
    return "truncated" if completion.finish in TRUNCATED else "unparsed"


def _found_first(text: str, parser: schema.Parser) -> Word:
    if _compiled(parser.first).search(text):
        return "first"
    return "second" if _compiled(parser.second).search(text) else "unparsed"


def _looked_at(text: str) -> str:
    """The stripped text; of a very long one its two ends, where verdicts stand, joined so that no line begins there."""
    text = text.strip()
    if len(text) <= LONGEST_READ:
        return text
    return text[: LONGEST_READ // 2] + " … " + text[-LONGEST_READ // 2 :]


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
