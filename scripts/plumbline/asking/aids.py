"""What programs that ask for one decision have in common: reasoning, solved examples, texts written beforehand."""

from __future__ import annotations

from asyncio import gather
from dataclasses import dataclass, field
from typing import Literal

from plumbline.asking.ask import Ask, Call
from plumbline.asking.program import ProgramStep
from plumbline.config.protocol import Protocol


@dataclass(frozen=True)
class Prepared(Protocol):
    """How a model prepares for a decision."""

    reasoning: bool = False
    """Explain first, decide after."""
    aids: list[str] = field(default_factory=list)
    """What the model writes for itself beforehand: metrics, reference."""
    shots: Literal[0, 1, 2] = 0
    """How many solved examples the prompt shows."""

    @property
    def variant(self) -> str:
        """The variant of the template that decides."""
        shots = {0: "", 1: "one_shot", 2: "two_shot"}[self.shots]
        return "cot" if self.reasoning else "_".join(self.aids) or shots

    @property
    def aid_steps(self) -> list[ProgramStep]:
        return [ProgramStep(aid) for aid in self.aids]


async def write_aids(ask: Ask, options: Prepared) -> dict[str, str]:
    """What the model writes for itself first (LLMBar, section 3: Metrics, Reference)."""
    written = await gather(*(ask.text(Call(aid)) for aid in options.aids))
    return {aid: one.text for aid, one in zip(options.aids, written, strict=True)}
