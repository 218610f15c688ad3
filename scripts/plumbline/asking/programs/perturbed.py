"""Another instruction, close to the one at hand and different in what it asks for."""

from __future__ import annotations

from plumbline.asking.ask import Ask, Call
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.text_comparison import bare
from plumbline.data.texts import Text


def steps(options: Protocol) -> list[ProgramStep]:
    return [ProgramStep("perturb")]


@program(options=Protocol, asks="words", shows="no outputs", steps=steps, states="texts", becomes="instruction")
async def perturbed(instance: Instance, ask: Ask, options: Protocol) -> list[Text]:
    """A changed instruction (LLMBar, appendix A.3), without the label or quotation marks put around it."""
    written = await ask.text(Call("perturb"))
    return ask.texts([bare(written.text)])
