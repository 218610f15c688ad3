"""Where an answer states a short value: alone on a line, or in a sentence like `Answer: VALUE` or `I choose VALUE.`

Used by the strict readings of words and numbers. All repetitions in the expressions are bounded and all but the
value's own are anchored to the beginning of a line or sentence, so that the time is linear in the answer's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

MARKS = r"[ \t*\"'“”‘’`_\[\](){}#>]{0,20}"
KIND = rf"{MARKS}(?:(?:an?|the|output|response|option|model|assistant) )?{MARKS}"
LEAD = r"(?:so|therefore|thus|hence|overall|finally|in conclusion|in summary),? "
LABEL = (
    r"(?:(?:my|the|our|final|overall|correct|best|better|preferred) ){0,4}"
    r"(?:answer|verdict|decision|choice|judge?ment|conclusion|preference|rating|score|selection|response|output)"
    r"(?: (?:for|of|to|here)\b[^.:=\n]{0,60}?)?"
)
STATES = r"(?::|=|is:?|would be:?|should be:?|- )"
CHOOSES = (
    r"I(?: would| will|'d|’d|'ll|’ll)? (?:rate|give|assign|score|choose|chose|pick|select|prefer|say)\b"
    r"(?![^.\n]{0,60}\b(?:not|n't|n’t|neither|between|either)\b)[^.\n]{0,60}?"
)
REASON = r"[ \t]+(?:because|since|as|for)\b"
ENDS = rf"(?=[*\"'“”‘’`_\[\](){{}}]{{0,20}}(?:[ \t]*$|[.,;!?:](?!\d)|[ \t]+[-–—(](?! ?\d)|{REASON}))"
"""What may follow a stated value: `4.` and `4 (good)`, not `4-5`, `4 or 5` and `no longer`."""
BETTER = r" is (?:(?:the|clearly|slightly|much|therefore|still|overall) ){0,3}(?:better|best|preferred|superior)\b"
ALIKE = str.maketrans("ıİſ\u212a", "øøøø")
"""Letters outside of ASCII that expressions without case take for i, s and k."""
SENTENCE = re.compile(r"(?<=[.!?;])[ \t]+")


@dataclass(frozen=True)
class StatementPatterns:
    """How a value is stated."""

    alone: re.Pattern[str]
    """A line that is nothing but the value."""
    begins: re.Pattern[str]
    """The beginning of an answer that gives the value and then its reason."""
    labelled: re.Pattern[str]
    """The beginning of a sentence that states it."""
    better: re.Pattern[str]
    """The beginning of a sentence that calls it better: it names an output."""

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, alone: str, within: str, stop: str) -> StatementPatterns:
        """Of expressions for the value alone and within a sentence, and of what may end a line."""
        value = rf"(?P<value>{within})"
        says = rf"(?:{LEAD})?(?:{LABEL}{MARKS}{STATES}|{CHOOSES}(?<!\w))|{LEAD}"
        return cls(
            re.compile(rf"{MARKS}(?P<value>{alone}){MARKS}{stop}{MARKS}", re.I),
            re.compile(rf"{MARKS}{value}{MARKS}(?:,?{REASON}|[ \t]+[-–—(](?! ?\d))", re.I),
            re.compile(rf"{MARKS}(?:{says}){KIND}{value}{ENDS}", re.I),
            re.compile(rf"{MARKS}(?:{LEAD})?{KIND}{value}{MARKS}{BETTER}", re.I),
        )


def stated(text: str, alone: str, within: str, stop: str = "[.!]?") -> list[str]:
    """The values that an answer states, in order. Lines that are different values by themselves are a list.

    `alone` and `within` are expressions for the value by itself and in a sentence, `stop` for what may end its line.
    """
    expressions, text = StatementPatterns.of(alone, within, stop), text.translate(ALIKE)
    whole = expressions.alone.fullmatch(text.rstrip(" .\t\n"))
    if whole:
        return [whole["value"]]
    values = list(_stated(text, expressions))
    bare = {value.lower() for value, by_itself in values if by_itself}
    return [value for value, by_itself in values if not by_itself or len(bare) == 1]


def _stated(text: str, expressions: StatementPatterns) -> Iterator[tuple[str, bool]]:
    """Each value, and whether its line says nothing else."""
    begins = expressions.begins.match(text)
    if begins:
        yield begins["value"], False
    for line in filter(None, text.splitlines()):
        by_itself = expressions.alone.fullmatch(line)
        if by_itself:
            yield by_itself["value"], True
            continue
        for sentence in SENTENCE.split(line):
            states = expressions.labelled.match(sentence) or expressions.better.match(sentence)
            if states:
                yield states["value"], False
