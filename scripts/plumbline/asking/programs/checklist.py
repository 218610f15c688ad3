"""Questions to which a good answer to an instruction lets everybody say yes."""

from __future__ import annotations

from plumbline.asking.answer_text.checklist import questions_of
from plumbline.asking.ask import Ask, Call
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.texts import Text


def steps(options: Protocol) -> list[ProgramStep]:
    return [ProgramStep("checklist")]


@program(options=Protocol, asks="words", shows="no outputs", steps=steps, states="texts", becomes="context")
async def checklist(instance: Instance, ask: Ask, options: Protocol) -> list[Text]:
    """The questions of a checklist (TICK, section 3.1), each once; what asks nothing is left out."""
    return ask.texts(questions_of(await ask.items(Call("checklist"))))
