"""What most evaluators see through, left out with what they said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plumbline.config.benchmark import OfOne
from plumbline.config.typed import Share
from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.ledger import Vote
from plumbline.derive.derivation import Dropped, Made, Result, derivation
from plumbline.derive.given import Given
from plumbline.derive.needs import Needs, VerdictNeed

SEEN_THROUGH = "most evaluators see through it"


@dataclass(frozen=True, kw_only=True)
class Filtering(OfOne):
    """Who evaluates, and what is seen through."""

    evaluators: dict[str, list[str]]
    """Protocols by model, each named in full."""
    reading: Literal["as_published", "strict"] = "strict"
    """How answers are read."""
    majority: Share = 0.5
    """An instance is dropped when more than this share of the votes agrees with its label."""


def needs(options: Filtering) -> Needs:
    asked = options.evaluators.items()
    return Needs(verdicts=[VerdictNeed(model, protocols, subsets=list(options.subsets)) for model, protocols in asked])


@derivation(options=Filtering, needs=needs, labels=True)
def filter(instance: Instance, given: Given, options: Filtering) -> Result:
    """Drop what most evaluators judge as expected (LLMBar, section 2.2); a tie agrees with nothing.

    An evaluator that is shown both outputs gives a vote for each order. One that looks at each output alone, as a
    likelihood or a length does, knows no order: what it says would be the same vote twice, and counts once.
    """
    votes = [
        Vote(model, verdict.protocol, verdict.showing, str(verdict.outcome(options.reading)))
        for model, verdicts in given.verdicts.items()
        for verdict in verdicts
        if verdict.question == BETTER
    ]
    agreeing = sum(vote.word == given.gold for vote in votes)
    facts = {"agreeing": f"{agreeing} of {len(votes)} agree"} if votes else {}
    if is_seen_through(given.gold, [vote.word for vote in votes], options.majority):
        return Dropped(SEEN_THROUGH, facts=facts, votes=votes)
    return Made(instance, facts=facts, votes=votes)


def is_seen_through(better: str, votes: Sequence[str], majority: float) -> bool:
    """Whether more than the `majority` share of the votes agrees with the label; a tie agrees with nothing."""
    return bool(votes) and sum(vote == better for vote in votes) > majority * len(votes)
