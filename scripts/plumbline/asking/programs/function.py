"""Call a function with the instruction and the two outputs."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Sequence

from plumbline.asking.ask import Ask
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.verdicts import PLAIN, SWAPPED, Verdict


@program(options=Protocol, asks="calls", shows="both orders")
async def function(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """Call a function with the instruction and the two outputs, in either order.

    A number that it returns is the verdict's margin. A call that raises an error, does not end in time or ends its
    process has the verdict `failed`.
    """
    return await gather(ask.called(PLAIN), ask.called(SWAPPED))
