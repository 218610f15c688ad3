"""InFoBench's own protocol: one conversation a response, in which one question follows the other."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Sequence
from dataclasses import replace

from plumbline.asking.ask import Ask, Call
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import CHECKLIST, INPUT, Instance
from plumbline.data.verdicts import Verdict, alone
from plumbline.models.asking import Message

FIRST, WITH_INPUT, NEXT = "infobench", "with_input", "next"


def steps(options: Protocol) -> list[ProgramStep]:
    first = [ProgramStep(FIRST, variant, ("yes_no",), values=("question",)) for variant in ("", WITH_INPUT)]
    return [*first, ProgramStep(FIRST, NEXT, ("yes_no",), values=("question",), follows=True)]


@program(options=Protocol, asks="words", shows="each output alone", steps=steps, context=(INPUT, CHECKLIST))
async def infobench(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """Show the input, not the instruction, and the output; then ask question after question, with all that was said.

    As in the released code, an answer that is read as neither yes nor no ends the conversation: the questions that
    are left are not asked. That reading is the published one, whatever a strict one would find.
    """
    about = await gather(*(conversation(instance, ask, output) for output in range(len(instance.outputs))))
    return [verdict for verdicts in about for verdict in verdicts]


async def conversation(instance: Instance, ask: Ask, output: int) -> list[Verdict]:
    verdicts: list[Verdict] = []
    history: tuple[Message, ...] = ()
    first = WITH_INPUT if any(instance.context[INPUT]) else ""
    for number, question in enumerate(dict.fromkeys(instance.context[CHECKLIST]), start=1):
        call = Call(FIRST, NEXT if history else first, {"question": question}, history, part=str(number))
        answer = await ask.answer(question, call, alone(output))
        verdicts.append(replace(answer.verdict, checklist=CHECKLIST))
        history = answer.dialogue
        if answer.verdict.as_published.missing:
            break
    return verdicts
