"""What a system answers to an instruction."""

from __future__ import annotations

from plumbline.asking.ask import Ask, Call
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.texts import Text


def steps(options: Protocol) -> list[ProgramStep]:
    return [ProgramStep("response")]


@program(options=Protocol, asks="words", shows="no outputs", steps=steps, states="texts", becomes="output")
async def response(instance: Instance, ask: Ask, options: Protocol) -> list[Text]:
    """An answer of the model as a system."""
    written = await ask.text(Call("response", own_limit=True))
    return ask.texts([written.text])
