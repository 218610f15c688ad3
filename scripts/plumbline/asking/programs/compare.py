"""Show both outputs and ask which is better."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.asking.aids import Prepared, write_aids
from plumbline.asking.ask import Ask, Call, both_orders
from plumbline.asking.program import ProgramStep, program
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict


def steps(options: Prepared) -> list[ProgramStep]:
    decision = ProgramStep("compare", options.variant, ("preference",), values=tuple(options.aids))
    return [*options.aid_steps, decision]


@program(options=Prepared, asks="words", shows="both orders", steps=steps)
async def compare(instance: Instance, ask: Ask, options: Prepared) -> Sequence[Verdict]:
    """Show both outputs and ask which is better."""
    call = Call("compare", options.variant, await write_aids(ask, options))
    return [answer.verdict for answer in await both_orders(lambda showing: ask.preference(call, showing))]
