"""Answers in words of which one is better than another, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.measuring.options import MeasureOptions
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True)
class OrderedWords(MeasureOptions):
    """Of measures of ratings, which may be words."""

    from_worst: tuple[str, ...] = ()
    """The words that people answer with, from the worst to the best (none: numbers, or no and yes)."""

    def number_of(self, word: str, question: str) -> float:
        """How many are worse."""
        if word not in self.from_worst:
            raise PlumblineError(
                f"people answer {question!r} with {word!r}, which is not among the words from the worst to the best",
                expected=", ".join(self.from_worst),
            )
        return float(self.from_worst.index(word))
