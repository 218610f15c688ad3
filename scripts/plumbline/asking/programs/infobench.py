"""InFoBench's own protocol: one conversation a response, in which one question follows the other."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plumbline.asking.ask import Ask, Call
from plumbline.asking.checklists import none_written, questions_in
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import CHECKLIST, INPUT, Instance
from plumbline.data.verdicts import Verdict, alone
from plumbline.models.asking import Message

FIRST, WITH_INPUT, NEXT = "infobench", "with_input", "next"


@dataclass(frozen=True, kw_only=True)
class Options(Protocol):
    """Which questions are asked."""

    checklist: str = CHECKLIST
    """The name of the context that holds the checklist: the benchmark's own, or one that a model wrote."""

    @property
    def texts(self) -> list[str]:
        return [*self.context, self.checklist]


def steps(options: Options) -> list[ProgramStep]:
    first = [ProgramStep(FIRST, variant, ("yes_no",), values=("question",)) for variant in ("", WITH_INPUT)]
    return [*first, ProgramStep(FIRST, NEXT, ("yes_no",), values=("question",), follows=True)]


@program(options=Options, asks="words", shows="each output alone", steps=steps, context=(INPUT,))
async def infobench(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """Show the input, not the instruction, and the output; then ask question after question, with all that was said.

    As in the released code, an answer that is read as neither yes nor no ends the conversation: the questions that
    are left are not asked. That reading is the published one, whatever a strict one would find.
    """
    questions = questions_in(instance, options.checklist)
    if not questions:
        return [none_written(ask, output, options.checklist) for output in range(len(instance.outputs))]
    every = range(len(instance.outputs))
    about = await gather(*(conversation(instance, ask, output, questions, options) for output in every))
    return [verdict for verdicts in about for verdict in verdicts]


async def conversation(
    instance: Instance, ask: Ask, output: int, questions: Sequence[str], options: Options
) -> list[Verdict]:
    verdicts: list[Verdict] = []
    history: tuple[Message, ...] = ()
    first = WITH_INPUT if any(instance.context[INPUT]) else ""
    for number, question in enumerate(questions, start=1):
        call = Call(FIRST, NEXT if history else first, {"question": question}, history, part=str(number))
        answer = await ask.answer(question, call, alone(output))
        verdicts.append(replace(answer.verdict, checklist=options.checklist))
        history = answer.dialogue
        if answer.verdict.as_published.missing:
            break
    return verdicts
