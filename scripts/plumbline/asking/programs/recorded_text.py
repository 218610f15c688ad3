"""The completions that were recorded of a judge, read as those to a prompt are."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Iterable, Sequence

from plumbline.asking.aids import Prepared
from plumbline.asking.ask import Ask, Call
from plumbline.asking.derived import from_ratings, scores_of_two
from plumbline.asking.program import ProgramStep, program
from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.recorded import RecordedPlace
from plumbline.data.verdicts import Verdict


def steps(options: Prepared) -> list[ProgramStep]:
    return [
        ProgramStep("compare", options.variant, ("preference",), values=tuple(options.aids)),
        ProgramStep("rate", "", ("number",), required=False),
        ProgramStep("answer", "", ("yes_no", "number"), required=False),
    ]


def read_as(place: RecordedPlace, options: Prepared) -> Call:
    """The prompt whose answers are read as a completion to this question is."""
    if place.question == BETTER:
        return Call("compare", options.variant)
    return Call("rate" if place.question == "rating" else "answer")


def derive(options: Prepared, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    return [from_ratings(*scores) for scores in scores_of_two(verdicts, "rating", "gain", "length")]


@program(options=Prepared, asks="records", shows="as recorded", steps=steps, derive=derive)
async def recorded_text(instance: Instance, ask: Ask, options: Prepared) -> Sequence[Verdict]:
    """The completions that were recorded of a judge, read as those to a comparison or a rating are."""
    places = await ask.recorded_places()
    return await gather(*(ask.recorded_text(place, read_as(place, options)) for place in places))
