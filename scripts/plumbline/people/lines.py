"""The lines of a rater's journal: what was said about one item, or why it was skipped."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Answer:
    """One answer."""

    question: str
    """The question's name; of a checklist the question's text."""
    about: int | None = None
    """Which output, counted from 0 in stored order; None where it is about all."""
    output: str = ""
    """Digest of that output's text."""
    word: str = ""
    value: float | None = None


@dataclass(frozen=True)
class ItemLabels:
    """One line: all that a rater says of an item. Of several lines about one item the last counts; one without
    answers and without a reason takes all back."""

    item: str
    """Id of the instance."""
    rater: str
    """Who answers."""
    key: str = ""
    """What the source calls the instance."""
    task: str = ""
    """Digest of its instruction and document."""
    arm: str = ""
    """In which arm the item was shown."""
    time: int = 0
    """0, or 1 where the item was shown a second time."""
    check: bool = False
    """Whether the answer was known beforehand, and the item only there to see how often a rater is right."""
    answers: list[Answer] = field(default_factory=list)
    skipped: str = ""
    """Why there is no answer."""
    remark: str = ""
    """What the rater wants to say besides."""
    looked: bool = False
    """Whether the rater asked to see what the suggesting judge says."""
