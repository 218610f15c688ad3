"""Read yes or no."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from plumbline.asking.answer_text.answers import UNPARSED, Readings, looked_at, readings
from plumbline.asking.answer_text.statements import ALIKE, MARKS, stated
from plumbline.asking.parser import parser
from plumbline.config.parsers import Names, Parser
from plumbline.data.verdicts import Outcome
from plumbline.models.asking import Completion

SUBJECT = r"it|this|that|they|there|he|she|we|the|both|all|each|none"
BEGINS = re.compile(
    rf"{MARKS}(?P<value>yes|no)(?![\w'’/]){MARKS}(?:[.,;:!](?=[ \t]+\S)|[-–—(](?!\w)|(?:{SUBJECT})\b)", re.I
)
"""`Yes.` and `No, …`, not `No doubt` nor `Yes and no`."""
LABELLED = re.compile(rf"\banswer{MARKS}:{MARKS}(?P<value>yes|no)(?!\w)", re.I)
LAST_SENTENCE = re.compile(rf"[.!?][ \t]+{MARKS}(?P<value>yes|no){MARKS}[.!]?{MARKS}$", re.I)


@dataclass(frozen=True)
class YesNoParser(Parser):
    """Yes or no.

    Strictly: an answer that begins with the word (`Yes, it does.`, not `No doubt`), a line or last sentence that is
    nothing but the word, or a sentence that states it (`Answer: no`); the last of these.
    """

    published: Literal["start", "start_or_only", "answer"] = "start"
    """As published: the letters with which the answer begins, in any case; `start_or_only`: where it begins with
    neither, whichever of YES and NO, in capitals, occurs alone (InFoBench); `answer`: the word right after the last
    `Answer:` (TICK, appendix G.2)."""


@parser(options=YesNoParser, gives="yes_no")
def yes_no(completion: Completion, options: YesNoParser, names: Names) -> Readings:
    text = looked_at(completion.text)
    return readings(completion, _published(text, options), _strictly(text))


def _published(text: str, options: YesNoParser) -> Outcome:
    if options.published == "answer":
        values = [match["value"] for match in LABELLED.finditer(text)]
        return Outcome(values[-1].lower()) if values else UNPARSED
    for word in ("yes", "no"):
        if text.lower().startswith(word):
            return Outcome(word)
    if options.published == "start_or_only":
        words = [word for word in ("yes", "no") if word.upper() in text]
        if len(words) == 1:
            return Outcome(words[0])
    return UNPARSED


def _strictly(text: str) -> Outcome | None:
    """The last of what the answer begins with, states, and ends with."""
    text = text.translate(ALIKE)
    begins, last = BEGINS.match(text), LAST_SENTENCE.search(text[-80:])
    values = [begins["value"]] if begins else []
    values += stated(text, "yes|no", "yes|no")
    values += [last["value"]] if last else []
    return Outcome(values[-1].lower()) if values else None
