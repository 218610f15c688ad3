"""The length rule: the longer or the shorter output is preferred, and nobody is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Said, Verdict, alone
from plumbline.judging.ask import Ask
from plumbline.judging.derived import from_scores, scores_of_two
from plumbline.judging.program import program


@dataclass(frozen=True, kw_only=True)
class Options(Protocol):
    """Which length wins."""

    prefer: Literal["shorter", "longer"]
    """Which output is preferred."""


def derive(options: Options, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    return [from_scores(*scores) for scores in scores_of_two(verdicts, "length")]


@program(options=Options, asks="nobody", shows="no outputs", derive=derive)
async def length(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """How long each output is, in characters; as a negative number where the shorter one is to be preferred."""
    sign = 1.0 if options.prefer == "longer" else -1.0
    lengths = [Said(number=sign * len(text)) for text in instance.texts]
    return [ask.verdict("length", alone(output), said) for output, said in enumerate(lengths)]
