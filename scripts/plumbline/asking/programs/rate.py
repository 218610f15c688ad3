"""Score each output on its own; which is preferred follows from the scores."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plumbline.asking.aids import Prepared, write_aids
from plumbline.asking.ask import Ask, Call
from plumbline.asking.derived import from_ratings, from_scores_alone, scores_of_two
from plumbline.asking.likely import expected
from plumbline.asking.program import ProgramStep, program
from plumbline.config.scored_on import ScoredOn
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict, alone


@dataclass(frozen=True)
class Options(Prepared):
    """How outputs are rated."""

    weighted: bool = False
    """The score is the mean of all scores the template lets the model choose from, each weighted by its probability,
    in place of the likeliest score; the engine must tell log-probabilities."""
    tie_without_score: bool = True
    """As published, a score that is missing makes a tie, as in LLMBar's code (false: no preference, as strictly)."""


def steps(options: Options) -> list[ProgramStep]:
    return [*options.aid_steps, ProgramStep("rate", options.variant, ("number",), values=tuple(options.aids))]


def derive(options: Options, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    prefer = from_ratings if options.tie_without_score else from_scores_alone
    return [prefer(*scores) for scores in scores_of_two(verdicts, "rating")]


@program(
    options=Options,
    asks="words",
    shows="each output alone",
    steps=steps,
    derive=derive,
    scored_on=ScoredOn.always("rating"),
    weighs=lambda options: options.weighted,
)
async def rate(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """Score each output on its own (LLMBar, appendix D); which is preferred follows from the scores."""
    call = Call("rate", options.variant, await write_aids(ask, options))
    outputs = range(len(instance.outputs))
    answers = await gather(*(ask.answer("rating", call, alone(output)) for output in outputs))
    return [expected(answer.verdict) if options.weighted else answer.verdict for answer in answers]
