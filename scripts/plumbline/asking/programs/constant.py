"""The same answer to everything, which asks nobody: what a judge has to beat before it is worth asking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plumbline.asking.ask import Ask
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import NOTHING, Outcome, Verdict, alone


@dataclass(frozen=True, kw_only=True)
class Options(Protocol):
    """What is always said."""

    says: Literal["first", "second", "tie", "yes", "no"]
    """The answer: the first or the second output as stored, or neither; or yes or no to each output alone."""
    question: str = BETTER
    """The question that it answers."""


@program(options=Options, asks="nobody", shows="no outputs")
async def constant(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """Say the same of every instance."""
    said = Outcome(options.says)
    if options.says in ("yes", "no"):
        return [ask.verdict(options.question, alone(output), said) for output in range(len(instance.outputs))]
    return [ask.verdict(options.question, NOTHING, said)]
