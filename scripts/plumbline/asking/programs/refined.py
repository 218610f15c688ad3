"""A response that its own writer refines, round by round: by a checklist, by a critique, or just by rewriting."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from plumbline.asking.answer_text.checklist import questions_of
from plumbline.asking.ask import AnsweredText, Ask, Call
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.config.typed import Positive
from plumbline.data.instances import Instance
from plumbline.data.texts import State, Text
from plumbline.data.verdicts import NOTHING

RESPONSE, CHECKLIST, CHECK, CRITIQUE, REFINE = "response", "checklist", "check", "critique", "refine"


@dataclass(frozen=True)
class Options(Protocol):
    """How a response is refined."""

    refine: Literal["checklist", "critique", "none"] = "checklist"
    """What the writer goes by when it rewrites: its own answers to its own checklist (STICK), its own critique
    (Self-Refine), or nothing, as a control."""
    rounds: Positive = 4
    """How often it rewrites at most. Each round is a text, of which the first, number 0, is the response as drafted."""
    failed_only: bool = False
    """Show only the questions that the response fails (false: all of them with their answers, as in the paper)."""
    reasoning: bool = True
    """Explain before each answer to a question of the checklist."""

    @property
    def variant(self) -> str:
        """Of the template that rewrites."""
        return "" if self.refine == "checklist" else self.refine

    @property
    def check(self) -> str:
        """The variant of the template that answers a question."""
        return "cot" if self.reasoning else ""


class Round(NamedTuple):
    """A text, and how it came about."""

    text: str
    state: State


def steps(options: Options) -> list[ProgramStep]:
    feedback = {
        "checklist": [
            ProgramStep(CHECKLIST),
            ProgramStep(CHECK, options.check, ("yes_no",), values=("output", "question"), follows=True),
        ],
        "critique": [ProgramStep(CRITIQUE, values=("output",), follows=True)],
        "none": [],
    }
    rewrite = ProgramStep(REFINE, options.variant, values=("output", "feedback"), follows=True)
    return [ProgramStep(RESPONSE), *feedback[options.refine], rewrite]


@program(
    options=Options,
    asks="words",
    shows="no outputs",
    steps=steps,
    states="texts",
    becomes="outputs",
    texts=lambda options: options.rounds + 1,
)
async def refined(instance: Instance, ask: Ask, options: Options) -> list[Text]:
    """Write, say what is to be mended, rewrite, round by round (TICK, section 4.1; Madaan et al. 2023).

    It stops where all questions are answered yes, or where a rewrite changes nothing, since the next round would ask
    the same again: then the rounds that are left have the text of the last one. A rewrite of no use leaves the text
    before it, and the round is `kept`. The checklist is the writer's own, whatever checklist the instance comes with.
    """
    draft = await ask.text(Call(RESPONSE, own_limit=True))
    rounds = [Round(draft.text, draft.state)]
    if draft.text.strip():
        rounds += await rewrites(draft.text, ask, options)
    rounds += [rounds[-1]] * (options.rounds + 1 - len(rounds))
    return ask.texts([one.text for one in rounds], [one.state for one in rounds])


async def rewrites(text: str, ask: Ask, options: Options) -> list[Round]:
    """The rounds after the draft, up to the one after which nothing changes any more."""
    rounds: list[Round] = []
    questions = questions_of(await ask.items(Call(CHECKLIST))) if options.refine == "checklist" else ()
    if options.refine == "checklist" and not questions:
        return [Round(text, "kept")]
    while len(rounds) < options.rounds:
        number = len(rounds) + 1
        feedback = await feedback_on(text, questions, number, ask, options)
        if feedback is None:
            break
        call = Call(REFINE, options.variant, {"output": text, "feedback": feedback}, own_limit=True, part=str(number))
        rewrite = await ask.text(call)
        if not is_of_use(rewrite):
            return [*rounds, Round(text, "kept")]
        rounds.append(Round(rewrite.text, rewrite.state))
        if rewrite.text == text:
            break
        text = rewrite.text
    return rounds


def is_of_use(rewrite: AnsweredText) -> bool:
    """Whether something was written where the prompt asks for the new response."""
    return bool(rewrite.text.strip()) and rewrite.state in ("written", "truncated")


async def feedback_on(text: str, questions: Sequence[str], number: int, ask: Ask, options: Options) -> str | None:
    """What the writer says of its text before it rewrites it in a round; None where there is nothing left to mend."""
    if options.refine == "critique":
        return (await ask.text(Call(CRITIQUE, values={"output": text}, part=str(number)))).text
    if options.refine == "none":
        return ""
    parts = (f"{number}.{place}" for place in range(1, len(questions) + 1))
    passed = await gather(*(passes(text, *each, ask, options) for each in zip(questions, parts, strict=True)))
    if all(passed):
        return None
    shown = [one for one in zip(questions, passed, strict=True) if not (one[1] and options.failed_only)]
    return "\n".join(f"{question} {'Yes' if yes else 'No'}" for question, yes in shown)


async def passes(text: str, question: str, part: str, ask: Ask, options: Options) -> bool:
    """Whether the writer answers yes; no answer is no."""
    call = Call(CHECK, options.check, {"output": text, "question": question}, part=part)
    return (await ask.answer(question, call, NOTHING)).verdict.strict.word == "yes"
