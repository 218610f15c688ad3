"""An answer that looks right and is of no use."""

from __future__ import annotations

from plumbline.asking.ask import Ask, Call
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.texts import Text


def steps(options: Protocol) -> list[ProgramStep]:
    return [ProgramStep("unhelpful")]


@program(options=Protocol, asks="words", shows="no outputs", steps=steps, states="texts", becomes="output")
async def unhelpful(instance: Instance, ask: Ask, options: Protocol) -> list[Text]:
    """An answer written to look good and to be of no use (LLMBar, appendix A.4)."""
    written = await ask.text(Call("unhelpful"))
    return ask.texts([written.text])
