"""A fair coin, which asks nobody and is not thrown."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.asking.ask import Ask
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import PLAIN, SWAPPED, Outcome, Verdict


@program(options=Protocol, asks="nobody", shows="both orders")
async def random(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """Either output with equal chance, never a tie (HREF, section 3.2): as a judge that prefers what stands first.

    Of its two verdicts, one for each order, each output wins one. What a measure says of both orders together is
    therefore the exact expectation of a fair coin, and nothing is drawn.
    """
    return [ask.verdict(BETTER, PLAIN, Outcome("first")), ask.verdict(BETTER, SWAPPED, Outcome("second"))]
