"""In which order a person sees the outputs of an item, and what an answer given there says of the stored order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plumbline.config.benchmark import About, Question
from plumbline.people.lines import Answer
from plumbline.records.files import digest_value

EXCHANGED = {"first": "second", "second": "first"}
DECIMALS = 6
"""Of a value on a scale without whole ends."""


@dataclass(frozen=True)
class ShownOrder:
    """The stored place of each output that is shown, from left to right."""

    stored: tuple[int, ...]

    @property
    def exchanged(self) -> bool:
        """Whether two outputs have changed sides."""
        return self.stored == (1, 0)

    def mirrored(self, answer: Answer, kind: About, question: Question) -> Answer:
        """What an answer about two outputs says where they have changed sides; its own inverse."""
        if kind != "pair" or not self.exchanged:
            return answer
        if answer.value is None:
            return replace(answer, word=EXCHANGED.get(answer.word, answer.word))
        return replace(answer, value=round(question.low + question.high - answer.value, DECIMALS))

    def shown(self, stored: int | None) -> int | None:
        """Where an output is shown."""
        return None if stored is None else self.stored.index(stored)

    def to_stored(self, answer: Answer, kind: About, question: Question) -> Answer:
        about = None if answer.about is None else self.stored[answer.about]
        return replace(self.mirrored(answer, kind, question), about=about)

    def to_shown(self, answer: Answer, kind: About, question: Question) -> Answer:
        return replace(self.mirrored(answer, kind, question), about=self.shown(answer.about))


def order_for(rater: str, instance: str, time: int, outputs: int, seed: int) -> ShownOrder:
    """The same whenever this person comes back to the item, and as good as drawn by lot among people and items."""

    def drawn(place: int) -> str:
        return digest_value([seed, "side", rater, instance, time, place])

    return ShownOrder(tuple(sorted(range(outputs), key=drawn)))
