"""What a loader gives: an instance with what people said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER, GOLD, Label
from plumbline.data.ledger import DROPPED, Entry
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log
from plumbline.records.rows import writing_records

GOLDS = {"1": "first", "2": "second", "0": "tie", "first": "first", "second": "second", "tie": "tie"}
"""How files name the better of two outputs."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """An instance with what people said of it."""

    instance: Instance
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Unused:
    """A row of a source that makes no instance, and why."""

    subset: str
    origin: str
    reason: str
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Accounted:
    """One input of a benchmark, with the instances that it became."""

    entry: Entry
    loaded: tuple[Loaded, ...] = ()


class Joiner(Protocol):
    """Adds to instances what another file says of them, and in the end looks at what was left over."""

    def joined(self, one: Loaded) -> Loaded: ...

    def finish(self) -> None: ...


def joined_by(joiners: Sequence[Joiner], accounted: Iterable[Accounted]) -> Iterator[Accounted]:
    """The same, each instance with what all of these add to it."""
    for one in accounted:
        yield replace(one, loaded=tuple(_joined(loaded, joiners) for loaded in one.loaded))
    for joiner in joiners:
        joiner.finish()


def _joined(one: Loaded, joiners: Sequence[Joiner]) -> Loaded:
    for joiner in joiners:
        one = joiner.joined(one)
    return one


def gold(word: object, where: str) -> Label:
    """The label of a benchmark that has one agreed answer to which output is better."""
    if str(word) not in GOLDS:
        raise PlumblineError(f"the label {word!r} names no output", where=where, expected="1 or 2")
    return Label("", GOLD, BETTER, None, GOLDS[str(word)], None)


@dataclass(frozen=True)
class InputCounts:
    """What came of the inputs of a benchmark."""

    instances: int
    dropped: int
    labels_left: int

    def report(self) -> None:
        dropped = f", {self.dropped} dropped" if self.dropped else ""
        log.info("%d instances%s", self.instances, dropped)
        if self.labels_left:
            log.warning("%d labels are left out: what they were about was changed", self.labels_left)


def write_benchmark(instances: Path, labels: Path, ledger: Path, accounted: Iterable[Accounted]) -> InputCounts:
    """Instances, labels and ledger into a file each, in the same order."""
    kept = dropped = left_out = 0
    with (
        writing_records(instances, Instance) as add,
        writing_records(labels, Label) as add_labels,
        writing_records(ledger, Entry) as add_entries,
    ):
        for one in accounted:
            add_entries([one.entry])
            for loaded in one.loaded:
                add([loaded.instance])
                add_labels(loaded.labels)
            kept += len(one.loaded)
            dropped += one.entry.fate == DROPPED
            left_out += one.entry.labels_left
    return InputCounts(kept, dropped, left_out)
