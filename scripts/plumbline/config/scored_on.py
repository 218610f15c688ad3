"""Which of a judge's answers are held against people's answers about single outputs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ScoredOn:
    """The questions of a judge whose answers are its scores of outputs; empty: the question that people were asked."""

    words: str = ""
    """Where people answered yes or no."""
    numbers: str = ""
    """Where people answered with a number."""

    @classmethod
    def always(cls, question: str) -> ScoredOn:
        """The same question, whatever people were asked."""
        return cls(question, question)


OWN_QUESTION = ScoredOn()
"""What a judge says to the very question that people were asked."""
