"""What a loader gives: an instance with what people said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from plumbline.data.instances import Instance, identified
from plumbline.data.labels import BETTER, GOLD, Label
from plumbline.records.errors import PlumblineError
from plumbline.records.rows import writing_records

GOLDS = {"1": "first", "2": "second", "0": "tie", "first": "first", "second": "second", "tie": "tie"}
"""How files name the better of two outputs."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """An instance with what people said of it."""

    instance: Instance
    labels: tuple[Label, ...] = ()


def named(loaded: Iterable[Loaded]) -> Iterator[Loaded]:
    """The same, each with its content's id in place of none."""
    waiting: list[Loaded] = []

    def instances() -> Iterator[Instance]:
        for one in loaded:
            waiting.append(one)
            yield one.instance

    for instance in identified(instances()):
        one = waiting.pop()
        labels = tuple(replace(label, instance=instance.id) for label in one.labels)
        yield Loaded(instance, labels)


def gold(word: object, where: str) -> Label:
    """The label of a benchmark that has one agreed answer to which output is better."""
    if str(word) not in GOLDS:
        raise PlumblineError(f"the label {word!r} names no output", where=where, expected="1 or 2")
    return Label("", GOLD, BETTER, None, GOLDS[str(word)], None)


def write_loaded(instances: Path, labels: Path, loaded: Iterable[Loaded]) -> int:
    """Instances and labels into a file each, in the same order; says how many instances there are."""
    count = 0
    with writing_records(instances, Instance) as add, writing_records(labels, Label) as add_labels:
        for one in loaded:
            add([one.instance])
            add_labels(one.labels)
            count += 1
    return count
