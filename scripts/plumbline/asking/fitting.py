"""What does not fit into a model's context, found and counted before anything is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from plumbline.asking.placeholder import Known, PlaceholderEngine
from plumbline.asking.runs import ask_all
from plumbline.asking.setup import AskSetup
from plumbline.data.instances import Instance
from plumbline.models.asking import CallPlace, Counts, Request
from plumbline.records.joblog import log


@dataclass
class Fit:
    """Of the asks of one protocol or step, those whose prompt does not fit with the longest answer that it may get."""

    asks: int = 0
    too_long: int = 0
    longest: int = 0
    """Tokens of the longest of these."""

    def add(self, request: Request, counter: Counts) -> None:
        self.asks += 1
        if not counter.fits(request):
            self.too_long += 1
            self.longest = max(self.longest, counter.tokens(request))


@dataclass
class Fits:
    """All protocols and steps of a job, by name."""

    counter: Counts
    by_protocol: dict[str, Fit] = field(default_factory=dict)

    def note(self, place: CallPlace, request: Request) -> None:
        self.by_protocol.setdefault(place.protocol, Fit()).add(request, self.counter)

    @property
    def sentences(self) -> list[str]:
        """One for each protocol or step some of whose prompts do not fit."""
        return [
            f"{name}: {fit.too_long:,} of {fit.asks:,} prompts do not fit into {self.counter.limit:,} tokens with "
            f"their answers; the longest takes {fit.longest:,}"
            for name, fit in sorted(self.by_protocol.items())
            if fit.too_long
        ]


def warn_of_long_prompts(setup: AskSetup, instances: Iterable[Instance], known: Known, counter: Counts) -> None:
    """Warn of what will be truncated. What is stored has been asked before, and is not measured again."""
    fits = Fits(counter)

    def note(place: CallPlace, request: Request, stored: bool) -> None:
        if not stored:
            fits.note(place, request)

    engine = PlaceholderEngine({}, known, note)
    asyncio.run(ask_all(instances, setup.programs, setup.judge, engine, setup.engine.window, lambda done: None))
    for sentence in fits.sentences:
        log.warning("%s: these will count as truncated", sentence)
