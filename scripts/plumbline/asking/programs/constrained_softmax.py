"""Constrained Softmax: the mean of the allowed ratings, each weighted by its renormalised likelihood."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.asking.ask import Ask, Call
from plumbline.asking.likely import expected
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.config.scored_on import ScoredOn
from plumbline.config.typed import Count
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict, alone

QUESTIONS = ("follows", "rating")


@dataclass(frozen=True)
class Options(Protocol):
    """What the prompts show."""

    shots: Count = 0
    """How many rated examples the prompts show."""


def steps(options: Options) -> list[ProgramStep]:
    return [ProgramStep("follows", "", ("yes_no",)), ProgramStep("rating", "", ("number",))]


@program(
    options=Options,
    asks="words",
    shows="each output alone",
    steps=steps,
    scored_on=ScoredOn(words="follows", numbers="rating"),
    weighs=lambda options: True,
)
async def constrained_softmax(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """Ask whether each output follows the instruction and how well, and take the expected answer (riSum, section 3.3).
    What people were not asked is not asked.

    The engine must tell the log-probability of each choice.
    """
    questions = [question for question in QUESTIONS if question in ask.questions]
    places = [(question, alone(output)) for output in range(len(instance.outputs)) for question in questions]
    answers = await gather(
        *(ask.answer(question, Call(question, examples=options.shots), showing) for question, showing in places)
    )
    return [expected(answer.verdict) for answer in answers]
