"""Show both outputs beside a text of the instance, e.g. the human-written response, and ask which is better."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.asking.against import NO_REFERENCE, Against
from plumbline.asking.ask import Ask, Call, both_orders
from plumbline.asking.program import ProgramStep, program
from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import PLAIN, SWAPPED, Verdict

RESPONSE = "response"
"""What a template calls the text."""


def steps(options: Against) -> list[ProgramStep]:
    return [ProgramStep("compare", "guided", ("preference",), values=(RESPONSE,))]


@program(options=Against, asks="words", shows="both orders", steps=steps)
async def guided(instance: Instance, ask: Ask, options: Against) -> Sequence[Verdict]:
    """Show both outputs beside a text of the instance, the first of its name (HREF, section 3.2)."""
    responses = options.of(instance)
    if not responses:
        return [ask.verdict(BETTER, showing, NO_REFERENCE) for showing in (PLAIN, SWAPPED)]
    call = Call("compare", "guided", {RESPONSE: responses[0]})
    return [answer.verdict for answer in await both_orders(lambda showing: ask.preference(call, showing))]
