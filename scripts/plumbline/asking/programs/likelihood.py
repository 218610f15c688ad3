"""By how much the instruction makes each output more likely; the likelier one is preferred."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Iterable, Sequence

from plumbline.asking.ask import Ask
from plumbline.asking.derived import from_computed, scores_of_two
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.config.scored_on import ScoredOn
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict


def derive(options: Protocol, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    return [from_computed(*scores) for scores in scores_of_two(verdicts, "gain")]


@program(
    options=Protocol,
    asks="likelihoods",
    shows="each output alone",
    derive=derive,
    scored_on=ScoredOn.always("gain"),
)
async def likelihood(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """By how much the instruction makes each output more likely; nothing is shown in any order."""
    return await gather(*(ask.gain(output) for output in range(len(instance.outputs))))
