"""Where an encoder places an instruction among all others."""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.asking.ask import Ask
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.vectors import Vector


@dataclass(frozen=True)
class Options(Protocol):
    """How instructions are read."""

    prefix: str = ""
    """What the encoder reads before each instruction, as INSTRUCTOR wants it; the mean is over the instruction."""


@program(options=Options, asks="vectors", shows="no outputs", states="vectors")
async def embedding(instance: Instance, ask: Ask, options: Options) -> list[Vector]:
    """The instruction as a row of length one (LLMBar, section 2.2: neighbours by INSTRUCTOR)."""
    return [await ask.vector(instance.instruction, options.prefix)]
