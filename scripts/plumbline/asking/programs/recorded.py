"""The words and numbers that were recorded of a judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plumbline.asking.ask import Ask
from plumbline.asking.derived import from_scores, scores_of_two
from plumbline.asking.program import program
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict


def derive(options: Protocol, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    """The higher of two recorded scores wins."""
    return [from_scores(*scores) for scores in scores_of_two(verdicts, "rating", "gain", "length")]


@program(options=Protocol, asks="records", shows="as recorded", derive=derive)
async def recorded(instance: Instance, ask: Ask, options: Protocol) -> Sequence[Verdict]:
    """The words and numbers that were recorded of a judge, to whatever questions and in whatever showings."""
    return await ask.recorded_answers()
