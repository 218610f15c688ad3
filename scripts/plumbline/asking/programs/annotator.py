"""Show both outputs to an annotator that has one template for instructions with an input and one for those without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.asking.ask import Ask, Call, both_orders
from plumbline.asking.program import ProgramStep, program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import INPUT, TASK, Instance, without_input
from plumbline.data.verdicts import Verdict


@dataclass(frozen=True, kw_only=True)
class Options(Protocol):
    """Which annotator is asked."""

    variant: str
    """Its templates are `compare/VARIANT`, and `compare/VARIANT_with_input` for an instruction that has an input."""

    @property
    def with_input(self) -> str:
        return f"{self.variant}_with_input"


def steps(options: Options) -> list[ProgramStep]:
    variants = (options.variant, options.with_input)
    return [ProgramStep("compare", variant, ("preference",), values=(TASK, INPUT)) for variant in variants]


@program(options=Options, asks="words", shows="both orders", steps=steps)
async def annotator(instance: Instance, ask: Ask, options: Options) -> Sequence[Verdict]:
    """Ask an annotator in AlpacaFarm's manner which output is better, of a task and the input it has (or none)."""
    given = "\n\n".join(instance.context.get(INPUT, ()))
    task = without_input(instance.instruction, given)
    apart = task != instance.instruction
    values = {TASK: task, INPUT: given if apart else ""}
    call = Call("compare", options.with_input if apart else options.variant, values)
    return [answer.verdict for answer in await both_orders(lambda showing: ask.preference(call, showing))]
