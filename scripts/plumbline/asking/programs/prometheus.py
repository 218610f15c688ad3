"""Prometheus: feedback on each output alone and a score by a rubric, beside a reference or without one."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plumbline.asking.against import NO_REFERENCE
from plumbline.asking.ask import Ask, Call
from plumbline.asking.derived import from_ratings, scores_of_two
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.config.scored_on import ScoredOn
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict, alone

STEP, REFERENCE = "rubric", "reference"
"""The step, and both its variant that shows a reference and what a template calls that."""


@dataclass(frozen=True)
class Options(Protocol):
    """What the prompts show."""

    against: str = ""
    """Name of the instance's text that is shown as the answer that deserves the highest score, the first of that name
    (empty: none is shown). Where an instance has none, there is no score."""

    @property
    def texts(self) -> list[str]:
        return [*self.context, *filter(None, [self.against])]


def steps(options: Options) -> list[ProgramStep]:
    return [
        ProgramStep(STEP, REFERENCE, ("number",), values=(REFERENCE,))
        if options.against
        else ProgramStep(STEP, "", ("number",))
    ]


def derive(options: Options, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    return [from_ratings(*scores) for scores in scores_of_two(verdicts, "rating")]


@program(
    options=Options,
    asks="words",
    shows="each output alone",
    steps=steps,
    derive=derive,
    scored_on=ScoredOn.always("rating"),
)
async def prometheus(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """Have feedback written on each output and a score given by a rubric (LLMBar, appendix D: Prometheus); the higher
    score is preferred.

    As published a score that is missing makes a tie, as LLMBar's code has it for ratings.
    """
    outputs = [alone(output) for output in range(len(instance.outputs))]
    call = Call(STEP)
    if options.against:
        references = instance.context[options.against]
        if not references:
            return [ask.verdict("rating", output, NO_REFERENCE) for output in outputs]
        call = Call(STEP, REFERENCE, {REFERENCE: references[0]})
    answers = await gather(*(ask.answer("rating", call, output) for output in outputs))
    return [answer.verdict for answer in answers]
