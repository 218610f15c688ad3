"""Instructions about a document, for others to carry out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plumbline.asking.ask import Ask, Call
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.config.typed import Positive
from plumbline.data.instances import Instance
from plumbline.data.texts import Text


@dataclass(frozen=True, kw_only=True)
class Instructions(Protocol):
    """How many."""

    count: Positive = 3
    """How many instructions are asked for; of more that are written the first so many are taken."""


def steps(options: Instructions) -> list[ProgramStep]:
    return [ProgramStep("instructions", values=("count",))]


@program(
    options=Instructions,
    asks="words",
    shows="no outputs",
    steps=steps,
    states="texts",
    becomes="instruction",
    texts=lambda options: options.count,
)
async def instructions(instance: Instance, ask: Ask, options: Instructions) -> list[Text]:
    """The first instructions of the list that a model writes about a document (riSum, 2.1); there may be fewer.

    Of an answer that was cut off, the last one alone is cut.
    """
    texts = ask.texts(await ask.items(Call("instructions", values={"count": options.count})))
    whole = [replace(one, state="written") if one.state == "truncated" else one for one in texts[:-1]]
    return [*whole, texts[-1]][: options.count]
