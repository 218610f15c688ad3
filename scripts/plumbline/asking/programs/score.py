"""A reward model scores each output; the output with the higher score is preferred."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Iterable, Sequence

from plumbline.asking.ask import Ask
from plumbline.asking.context import joined_context
from plumbline.asking.derived import from_computed, scores_of_two
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.config.scored_on import ScoredOn
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict, alone
from plumbline.models.scores import INSTRUCTION

SCORE = "score"


def derive(options: Protocol, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    return [from_computed(*scores) for scores in scores_of_two(verdicts, SCORE)]


@program(
    options=Protocol,
    asks="scores",
    shows="each output alone",
    derive=derive,
    scored_on=ScoredOn.always(SCORE),
)
async def score(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """Score each output as an answer to the instruction, by a reward model (LLMBar, section 4.5)."""
    texts = {**joined_context(instance, options), INSTRUCTION: instance.instruction}
    outputs = [alone(output) for output in range(len(instance.outputs))]
    scores = await gather(*(ask.score(output, texts) for output in outputs))
    return [ask.verdict(SCORE, at, one.outcome, step=SCORE) for at, one in zip(outputs, scores, strict=True)]
