"""What a judge made of other judges says, where each of them is asked in a way of its own."""

from __future__ import annotations

from collections.abc import Sequence

from plumbline.asking.ask import Ask
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict


@program(options=Protocol, asks="verdicts", shows="as recorded")
async def composite(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """Nothing is asked: the methods are, by protocols of their own, and an engine such as `by_category` chooses."""
    raise AssertionError("a judge made of judges has no ask job")
