"""What a reviewer has on the desk: the pairs of a queue, how each is shown, and what is decided on it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from plumbline.data.labelled import Gold, Labelled, read_labelled
from plumbline.derive.history import OTHER_INSTRUCTION, History, finished, ledgers_in
from plumbline.derive.review import (
    EDITABLE,
    EXCHANGED,
    STATUS,
    Decision,
    Queue,
    checked,
    decision_on,
    fields_of,
    shown_digest,
)
from plumbline.people.journal import Journal
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_value


@dataclass(frozen=True)
class Queued:
    """A pair in the queue, and what else is known of it."""

    pair: Labelled
    notes: Mapping[str, str]


def read_queue(path: Path) -> list[Queued]:
    """The instances of a benchmark of two outputs; labels and ledgers lie where the workflow keeps them.

    Where the benchmark is a set that was built here, its ledgers have notes on each pair.
    """
    histories = finished(ledgers_in(beside(path, "ledger").parent, path.stem))
    pairs = read_labelled(path, beside(path, "labels"))
    return [Queued(pair, notes_on(histories.get(pair.id))) for pair in pairs]


def beside(instances: Path, kind: str) -> Path:
    """The file of another kind that belongs to a file of instances."""
    for folder in instances.absolute().parents:
        if folder.name == "instances":
            return folder.with_name(kind) / instances.absolute().relative_to(folder)
    raise PlumblineError(
        f"{instances} holds no instances that were built here",
        expected="results/instances/BENCHMARK.parquet, or results/instances/SET/unreviewed.parquet",
    )


def notes_on(history: History | None) -> dict[str, str]:
    """What a reviewer may want to know of a pair besides its texts."""
    if history is None:
        return {}
    notes = {
        "item": history.key,
        "related": history.texts.get(OTHER_INSTRUCTION, ""),
        "detail": history.facts.get("detail", ""),
        "evaluators": history.facts.get("agreeing", ""),
    }
    return {name: text for name, text in notes.items() if text}


@dataclass
class Desk:
    """The pairs one reviewer sees, one at a time. In the blind second pass neither label nor notes leave it."""

    queue: Sequence[Queued]
    journal: Journal
    blind: bool = False
    seed: int = 0
    """Of which output stands on the left in the second pass."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        passes = {decision.action == "prefer" for decision in self.journal.decisions if decision.action != "clear"}
        if passes - {self.blind}:
            raise PlumblineError(
                "these are decisions of the other pass",
                where=str(self.journal.path),
                expected="preferences, made blind" if self.blind else "decisions made knowing the label",
                do="write each pass to a file of its own",
            )

    @cached_property
    def _pairs(self) -> Queue:
        return Queue([queued.pair for queued in self.queue])

    def overview(self) -> dict[str, Any]:
        """Who reviews, and how far every pair is."""
        decided = self._decided()
        states = [self._state(queued.pair, decided) for queued in self.queue]
        return {
            "reviewer": self.journal.reviewer,
            "blind": self.blind,
            "states": states,
            "counts": dict(Counter(states)),
            "reasons": sorted({d.reason for d in decided.values() if d.action == "discard"}),
        }

    def shown(self, number: int) -> dict[str, Any]:
        """One pair as the page gets it."""
        queued = self._at(number)
        decision = self._decided().get((queued.pair.id, self.journal.reviewer))
        if self.blind:
            return self._blindly(queued.pair, decision)
        fields, instance = fields_of(queued.pair), queued.pair.instance
        return {
            "subset": instance.subset,
            "fields": fields | (decision.fields if decision else {}),
            "original": fields,
            "state": STATUS[decision.action] if decision else "unreviewed",
            "reason": decision.reason if decision else "",
            "notes": {**queued.notes, "id": instance.id, "origin": instance.origin},
        }

    def decide(self, number: int, posted: Mapping[str, Any]) -> dict[str, Any]:
        """Write down what the reviewer said of a pair, unless it is what was said before."""
        pair = self._at(number).pair
        with self._lock:
            decision = self._decision(pair, posted)
            if decision != self._decided().get((pair.id, self.journal.reviewer)):
                self.journal.append(decision)
        return self.overview()

    def _decision(self, pair: Labelled, posted: Mapping[str, Any]) -> Decision:
        action, reason = posted.get("action"), _text(posted, "reason").strip()
        bare = Decision(pair.id, shown_digest(pair), self.journal.reviewer, "clear")
        if action == "clear":
            return bare
        if self.blind and action == "prefer":
            choice = _text(posted, "choice")
            if choice not in EXCHANGED:
                raise PlumblineError("the choice names no output", expected="first, second or tie", found=choice)
            return replace(bare, action="prefer", choice=self._stored(pair, choice))
        if not self.blind and action == "discard":
            return checked(replace(bare, action="discard", reason=reason), "this decision")
        if not self.blind and action == "accept":
            fields = {name: _text(posted.get("fields", {}), name) for name in EDITABLE}
            if fields["first"].strip() == fields["second"].strip():
                raise PlumblineError("the two outputs would be the same", do="change one of them, or discard the pair")
            return decision_on(pair, self.journal.reviewer, fields, reason)
        raise PlumblineError(f"nothing here is called {action!r}", where="action")

    def _blindly(self, pair: Labelled, decision: Decision | None) -> dict[str, Any]:
        left, right = (pair.second, pair.first) if self._turned(pair) else (pair.first, pair.second)
        return {
            "subset": "",
            "fields": {"instruction": pair.instance.instruction, "first": left, "second": right},
            "state": "decided" if decision else "unreviewed",
            "choice": self._stored(pair, decision.choice) if decision and decision.choice else "",
        }

    def _turned(self, pair: Labelled) -> bool:
        return int(digest_value([self.seed, "side", pair.id]), 16) % 2 == 1

    def _stored(self, pair: Labelled, choice: Gold) -> Gold:
        """From left and right to stored order; its own inverse."""
        return EXCHANGED[choice] if self._turned(pair) else choice

    def _state(self, pair: Labelled, decided: Mapping[tuple[str, str], Decision]) -> str:
        decision = decided.get((pair.id, self.journal.reviewer))
        if decision is None:
            return "unreviewed"
        return "decided" if self.blind else STATUS[decision.action]

    def _decided(self) -> dict[tuple[str, str], Decision]:
        """Decisions on the pairs as they are now."""
        return self._pairs.standing(self.journal.decisions)

    def _at(self, number: int) -> Queued:
        if not 0 <= number < len(self.queue):
            raise PlumblineError(f"the queue has no pair {number + 1}", expected=f"1 to {len(self.queue)}")
        return self.queue[number]


def _text(posted: Any, name: str) -> str:
    value = posted.get(name, "") if isinstance(posted, Mapping) else None
    if not isinstance(value, str):
        raise PlumblineError(f"{name!r} is not text", where=name)
    return value


def assigned(queue: Sequence[Queued], items: Collection[str]) -> list[Queued]:
    """The part of a queue that a second pass gives to one reviewer."""
    return [queued for queued in queue if queued.pair.id in items]
