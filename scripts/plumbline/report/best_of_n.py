"""The best of several answers to each instruction, with why it won: rows for programs, and what people are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

GREEDY = "greedy"
NO_EVIDENCE = (
    "The scorer chose the best by these very scores: that they are higher is no evidence that the answers are better. "
    "Another judge tells that, on answers that it did not choose."
)


@dataclass(frozen=True)
class Candidate:
    """One answer, and what the scorer said of it."""

    draw: int
    """Which of the drawn answers, from 1; 0 is the greedy one."""
    response: str
    score: float | None
    """None where the scorer did not say."""
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    """Of a checklist's questions, those answered yes, no or neither."""
    said: str = ""
    """What the scorer wrote, where it gives one score."""


@dataclass(frozen=True)
class Choice:
    """The best of the drawn answers to one instruction."""

    instance: str
    instruction: str
    best: Candidate
    """Of several with the same score, the first that was drawn."""
    also_best: tuple[str, ...]
    """The other different answers with the same score."""
    drawn: tuple[Candidate, ...]
    """All drawn answers that are of use."""
    greedy: Candidate | None
    """None where it is empty, refused or missing."""
    unusable: int = 0
    """Drawn answers that are empty, refused or missing."""

    @property
    def known(self) -> list[Candidate]:
        """The drawn answers that have a score."""
        return [one for one in self.drawn if one.score is not None]

    @property
    def tied(self) -> int:
        """How many drawn answers have the best score."""
        return sum(one.score == self.best.score for one in self.known)

    @property
    def distinct(self) -> int:
        """How many different answers were drawn."""
        return len({one.response for one in self.drawn})

    @property
    def runner_up(self) -> Candidate | None:
        """The best of those that are not tied for best."""
        below = [one for one in self.known if one.score != self.best.score]
        return max(below, key=lambda one: one.score or 0.0, default=None)

    @property
    def mean(self) -> float:
        return fmean(one.score for one in self.known if one.score is not None)

    @property
    def row(self) -> dict[str, Any]:
        """As it stands in best.jsonl."""
        return {
            "instance": self.instance,
            "instruction": self.instruction,
            **asdict(self.best),
            "also_best": list(self.also_best),
            "tied": self.tied,
            "distinct": self.distinct,
            "drawn": len(self.drawn),
            "unusable": self.unusable,
            "without_score": len(self.drawn) - len(self.known),
            "runner_up": asdict(self.runner_up) if self.runner_up else None,
            "greedy": asdict(self.greedy) if self.greedy else None,
        }

    def responses(self) -> Iterator[dict[str, str]]:
        """As `plumbline tick` reads them: the best, and the greedy one."""
        yield {"instance": self.instance, "system": "best", "response": self.best.response}
        if self.greedy:
            yield {"instance": self.instance, "system": GREEDY, "response": self.greedy.response}

    @property
    def gained(self) -> tuple[str, ...]:
        """The questions that the best passes and the runner-up does not."""
        others = self.runner_up.passed if self.runner_up else ()
        return tuple(question for question in self.best.passed if question not in others)


@dataclass(frozen=True)
class BestSummary:
    """What came of all instructions."""

    answers: int
    """How many were asked for, to each."""
    choices: Sequence[Choice] = field(repr=False)
    without_answer: Sequence[str]
    """The instructions to which no drawn answer is of use."""
    without_score: Sequence[str]
    """Those to which no drawn answer has a score."""

    @property
    def compared(self) -> list[Choice]:
        """Those whose greedy answer has a score too."""
        return [one for one in self.choices if one.greedy and one.greedy.score is not None]

    def means(self) -> dict[str, float]:
        """The mean scores, each over the same instructions."""
        if not self.compared:
            return {}
        return {
            GREEDY: fmean(one.greedy.score for one in self.compared if one.greedy and one.greedy.score is not None),
            "drawn": fmean(one.mean for one in self.compared),
            "best": fmean(one.best.score or 0.0 for one in self.compared),
        }

    def data(self) -> dict[str, Any]:
        return {
            "instructions": len(self.choices) + len(self.without_answer) + len(self.without_score),
            "chosen": len(self.choices),
            "compared": len(self.compared),
            "mean_score": self.means(),
            "identical": sum(map(self.is_identical, self.choices)),
            "all_tied": sum(map(is_all_tied, self.choices)),
            "greedy_higher": sum(map(is_greedy_higher, self.compared)),
            "unusable": sum(one.unusable for one in self.choices),
            "without_score": sum(len(one.drawn) - len(one.known) for one in self.choices),
            "instructions_without_answer": list(self.without_answer),
            "instructions_without_score": list(self.without_score),
        }

    def is_identical(self, choice: Choice) -> bool:
        return self.answers > 1 and choice.distinct == 1

    def lines(self) -> Iterator[str]:
        """What people must know, as far as there is any of it."""
        data, of = self.data(), len(self.choices)
        if of:
            yield NO_EVIDENCE
        if data["identical"]:
            yield (
                f"{data['identical']:,} of {of:,} instructions: all drawn answers are identical, so there was no "
                "choice; a higher --temperature draws others"
            )
        if all_tied := data["all_tied"] - data["identical"]:
            yield f"{all_tied:,} of {of:,} instructions: the scorer finds all different answers equally good"
        if data["greedy_higher"]:
            higher = data["greedy_higher"]
            yield f"{higher:,} of {of:,} instructions: the greedy answer scores higher than any drawn one"
        if data["unusable"]:
            yield f"{data['unusable']:,} drawn answers are empty, refused or missing, and were not scored"
        if no_greedy := sum(one.greedy is None for one in self.choices):
            yield f"{no_greedy:,} greedy answers are empty, refused or missing"
        if data["without_score"]:
            yield f"{data['without_score']:,} drawn answers are out: the scorer gave them no score"
        for names, why in ((self.without_answer, "no answer is of use"), (self.without_score, "no answer has a score")):
            if names:
                yield f"{len(names):,} instructions are out, as {why}: {', '.join(names)}"


def is_all_tied(choice: Choice) -> bool:
    return len(choice.known) > 1 and choice.tied == len(choice.known)


def is_greedy_higher(choice: Choice) -> bool:
    greedy = choice.greedy.score if choice.greedy else None
    return greedy is not None and choice.best.score is not None and greedy > choice.best.score
