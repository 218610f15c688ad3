"""Check-then-Score: a score of each output, with a checklist at hand that is not answered question by question."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Iterable, Sequence

from plumbline.asking.ask import Ask, Call
from plumbline.asking.checklists import Checking, checklist
from plumbline.asking.derived import from_scores_alone, scores_of_two
from plumbline.asking.program import ProgramStep, program
from plumbline.config.scored_on import ScoredOn
from plumbline.data.instances import CHECKLIST, Instance
from plumbline.data.verdicts import Verdict, alone


def steps(options: Checking) -> list[ProgramStep]:
    return [*options.written, ProgramStep("score", options.variant, ("number",), values=(CHECKLIST,))]


def derive(options: Checking, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    return [from_scores_alone(*scores) for scores in scores_of_two(verdicts, "rating")]


@program(
    options=Checking,
    asks="words",
    shows="each output alone",
    steps=steps,
    derive=derive,
    scored_on=ScoredOn.always("rating"),
)
async def check_then_score(instance: Instance, ask: Ask, options: Checking) -> Sequence[Verdict]:
    """Score each output, with the checklist in the prompt (TICK, section 3.2.2); the higher score is preferred.

    Without a question the score is asked for all the same, as without a checklist.
    """
    shown = "\n".join(f"- {question}" for question in await checklist(instance, ask, options))
    call = Call("score", options.variant, {CHECKLIST: shown})
    answers = await gather(*(ask.answer("rating", call, alone(output)) for output in range(len(instance.outputs))))
    return [answer.verdict for answer in answers]
