"""The scores of both outputs that a judge gives in one answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plumbline.data.verdicts import Outcome, Reading

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scores:
    """What an answer scores two outputs with, where it can be read."""

    as_published: Pair | None
    strict: Pair | None
    complete: bool
    """Whether the answer ends as the authors' code demands of it, whatever stands there for scores."""

    def of(self, reading: Reading) -> Pair | None:
        return self.as_published if reading == "as_published" else self.strict

    def swapped(self) -> Scores:
        """The same about outputs that were shown in the other order."""
        return replace(self, as_published=_turned(self.as_published), strict=_turned(self.strict))


def higher_of(pair: Pair) -> Outcome:
    """The output with the higher score, a tie where they are equal."""
    first, second = pair
    return Outcome("tie" if first == second else "first" if first > second else "second")


def _turned(pair: Pair | None) -> Pair | None:
    return (pair[1], pair[0]) if pair else None
