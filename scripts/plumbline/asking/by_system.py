"""Preferences from what each system's own model says of an instance: the less surprised wins (HREF, section 3.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from plumbline.asking.derived import higher, preference
from plumbline.data.instances import Instance
from plumbline.data.verdicts import Verdict, alone
from plumbline.models.noise import is_close

PERPLEXITY = "perplexity"
"""The question that each model answers with a number: the lower one is preferred."""


@dataclass(frozen=True)
class SystemModel:
    """The model that a system is, and how far its arithmetic may move a log-probability."""

    model: str
    noise: float | None


@dataclass
class Joining:
    """Verdicts of several models, put together by the systems of each pair."""

    systems: Mapping[str, SystemModel]
    protocols: Iterable[str]
    said: Mapping[str, Mapping[tuple[str, str], Verdict]]
    """By model, what it said of an instance under a protocol."""
    left_out: list[Instance] = field(default_factory=list)
    """Pairs of which one system or both have no model here."""

    def verdicts(self, instances: Iterable[Instance]) -> Iterator[Verdict]:
        """The two perplexities of each pair, each as that of its output, and which output is preferred."""
        for instance in instances:
            both = [self.systems.get(output.system) for output in instance.outputs]
            first, second = both if len(both) == 2 else (None, None)
            if first is None or second is None:
                self.left_out.append(instance)
                continue
            for protocol in self.protocols:
                one, other = (
                    replace(self.said[system.model][instance.id, protocol], showing=alone(place))
                    for place, system in enumerate((first, second))
                )
                yield from (one, other, preferred(one, other, max_noise(first, second)))


def preferred(first: Verdict, second: Verdict, noise: float | None) -> Verdict:
    """The output whose system has the lower perplexity; a tie where both have the same, as of one system twice."""
    margin = None
    if first.strict.number is not None and second.strict.number is not None:
        margin = math.log(second.strict.number) - math.log(first.strict.number)
    return replace(
        preference(
            first,
            second,
            higher(second.as_published, first.as_published),
            higher(second.strict, first.strict),
            why=first.why or second.why,
            margin=margin,
            gap=None if margin is None else abs(margin),
        ),
        close=is_close(None if margin is None else abs(margin), noise),
    )


def max_noise(*systems: SystemModel) -> float | None:
    return max((system.noise for system in systems if system.noise is not None), default=None)
