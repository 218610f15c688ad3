"""Instances of two outputs, each with the agreed label of which one is better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from plumbline.data.instances import Instance, InstanceFile
from plumbline.data.labels import BETTER, GOLD, Label, stream_labels
from plumbline.records.errors import PlumblineError

Gold = Literal["first", "second", "tie"]


class Labelled(NamedTuple):
    """An instance of two outputs, one of which people found better, or are expected to."""

    instance: Instance
    gold: Gold

    @property
    def id(self) -> str:
        return self.instance.id

    @property
    def first(self) -> str:
        return self.instance.outputs[0].text

    @property
    def second(self) -> str:
        return self.instance.outputs[1].text


def labelled(instances: Iterable[Instance], labels: Iterable[Label], where: str = "") -> Iterator[Labelled]:
    """The instances in their order; one that is no pair, or has no agreed label, is refused."""
    golds = {label.instance: label.word for label in labels if (label.rater, label.question) == (GOLD, BETTER)}
    for instance in instances:
        gold = golds.get(instance.id, "")
        if len(instance.outputs) != 2 or gold not in get_args(Gold):
            raise PlumblineError(
                f"the instance {instance.id} has {len(instance.outputs)} outputs and {gold or 'no'} agreed label",
                where=where,
                expected="two outputs, and a label that says which one is better",
            )
        yield Labelled(instance, gold)  # type: ignore[arg-type]


def read_labelled(instances: Path, labels: Path) -> list[Labelled]:
    return list(labelled(InstanceFile.whole(instances), stream_labels(labels), str(instances)))
