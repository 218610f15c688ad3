"""What programs that compare outputs with a text of the instance have in common, e.g. with a human-written response."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from plumbline.asking.ask import Ask
from plumbline.asking.derived import from_computed, scores_of_two
from plumbline.config.protocol import Protocol
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Outcome, Verdict, alone

SIMILARITY = "similarity"
NO_REFERENCE = Outcome(missing="no_reference")


@dataclass(frozen=True)
class Against(Protocol):
    """What outputs are compared with."""

    against: str = "reference"
    """Name of the instance's text that the outputs are compared with, human-written or a model's. Where there are
    several of that name, the one that suits an output best counts; where there is none, there is no verdict."""

    without_own: bool = False
    """Leave out of an output's texts what is that very output, where one of these texts is judged too."""

    @property
    def texts(self) -> list[str]:
        return [*self.context, self.against]

    def of(self, instance: Instance) -> Sequence[str]:
        """The texts that the outputs of an instance are compared with."""
        return instance.context.get(self.against, ())


Compare = Callable[[int, str, str], Awaitable[float | None]]
"""How similar an output is to a text; the last tells several texts apart and is empty for one."""


async def similarities(instance: Instance, ask: Ask, options: Against, compare: Compare) -> list[Verdict]:
    """A verdict an output: how similar it is to the text that it is most like."""
    references = options.of(instance)
    several = len(references) > 1
    parts = [str(number) if several else "" for number in range(1, len(references) + 1)]

    async def best(output: int) -> Outcome:
        own = instance.texts[output].split() if options.without_own else None
        others = [(text, part) for text, part in zip(references, parts, strict=True) if text.split() != own]
        if not others:
            return NO_REFERENCE
        scores = await gather(*(compare(output, text, part) for text, part in others))
        known = [number for number in scores if number is not None]
        return Outcome(number=max(known)) if known else Outcome(missing="unparsed")

    outcomes = await gather(*(best(output) for output in range(len(instance.outputs))))
    return [ask.verdict(SIMILARITY, alone(output), one) for output, one in enumerate(outcomes)]


def more_similar(options: Against, verdicts: Sequence[Verdict]) -> Iterable[Verdict]:
    """The output that is more similar is preferred; where both are equally so there is a tie."""
    return [from_computed(*scores) for scores in scores_of_two(verdicts, SIMILARITY)]
