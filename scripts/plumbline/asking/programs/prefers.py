"""A preference model reads both outputs and says which is better."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Sequence
from dataclasses import replace

from plumbline.asking.ask import Ask
from plumbline.asking.context import joined_context
from plumbline.asking.derived import FIRST, SECOND, TIE
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import PLAIN, SWAPPED, Showing, Verdict
from plumbline.models.scores import INSTRUCTION


@program(options=Protocol, asks="scores", shows="both orders")
async def prefers(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """Show both outputs to a preference model, such as SteamSHP (LLMBar, section 4.5)."""
    texts = {**joined_context(instance, options), INSTRUCTION: instance.instruction}

    async def look(showing: Showing) -> Verdict:
        outcome = (await ask.score(showing, texts)).outcome
        if outcome.number is None:
            return ask.verdict(BETTER, showing, outcome, step="score")
        margin = outcome.number if showing == PLAIN else -outcome.number
        word = TIE if not margin else FIRST if margin > 0 else SECOND
        return replace(ask.verdict(BETTER, showing, word, step="score"), margin=margin, gap=abs(margin))

    return await gather(look(PLAIN), look(SWAPPED))
