"""The length rule: the longer or the shorter output is preferred, and nobody is asked.

Words and sentences are found by regular expressions of ours. NLTK's tokenizers, by which riSum counts, need data that
must be fetched: the program `counted` has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from plumbline.asking.ask import Ask
from plumbline.asking.derived import from_scores, scores_of_two
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.config.scored_on import ScoredOn
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Outcome, Verdict, alone

WORD = re.compile(r"\w+(?:[-'’.,]\w+)*|[^\w\s]")
END_OF_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|\n+")


def words(text: str) -> int:
    return len(WORD.findall(text))


def sentences(text: str) -> int:
    return sum(1 for part in END_OF_SENTENCE.split(text) if part.strip())


COUNTS: dict[str, Callable[[str], int]] = {"characters": len, "words": words, "sentences": sentences}


@dataclass(frozen=True, kw_only=True)
class Options(Protocol):
    """Which length wins."""

    prefer: Literal["shorter", "longer"]
    """Which output is preferred."""
    of: Literal["characters", "words", "sentences"] = "characters"
    """What is counted. Words: runs of letters and digits, with apostrophes and hyphens inside, and each punctuation
    mark. Sentences: what ends in a full stop, an exclamation or a question mark before a space or the end,
    or with a line."""


def derive(options: Options, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    return [from_scores(*scores) for scores in scores_of_two(verdicts, "length")]


@program(
    options=Options,
    asks="nobody",
    shows="no outputs",
    derive=derive,
    scored_on=ScoredOn.always("length"),
)
async def length(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """How long each output is; as a negative number where the shorter one is to be preferred."""
    sign, count = 1.0 if options.prefer == "longer" else -1.0, COUNTS[options.of]
    lengths = [Outcome(number=sign * count(text)) for text in instance.texts]
    return [ask.verdict("length", alone(output), outcome) for output, outcome in enumerate(lengths)]
