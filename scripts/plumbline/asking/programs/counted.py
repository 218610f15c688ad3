"""How many words or sentences a tokenizer finds in each output; the longer one is preferred, and nobody is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from plumbline.asking.ask import Ask
from plumbline.asking.derived import from_scores, scores_of_two
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.config.scored_on import ScoredOn
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict


@dataclass(frozen=True, kw_only=True)
class Options(Protocol):
    """What is counted."""

    of: Literal["words", "sentences"]
    """Tokens, punctuation marks among them, or sentences; by the tokenizer that the model names, e.g. NLTK's."""


def derive(options: Options, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    return [from_scores(*scores) for scores in scores_of_two(verdicts, options.of)]


def scored_on(options: Options) -> ScoredOn:
    return ScoredOn.always(options.of)


@program(
    options=Options,
    asks="records",
    shows="each output alone",
    derive=derive,
    scored_on=scored_on,
)
async def counted(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """The number of words or sentences of each output (riSum, section 3.2, which counts by NLTK)."""
    return await ask.recorded_answers(options.of)
