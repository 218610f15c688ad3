"""Pairs: what construction makes, an instruction with two outputs and which of them is expected to be better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from plumbline.data.instances import Instance, pair, read_instances
from plumbline.data.labels import BETTER, GOLD, Label, read_labels
from plumbline.records.rows import shape_of

Gold = Literal["first", "second", "tie"]


@dataclass(frozen=True, slots=True)
class Pair:
    """An instruction with two outputs, one of which people found better, or are expected to."""

    id: str
    subset: str
    instruction: str
    first: str
    second: str
    gold: Gold
    origin: str
    """Where the source keeps it: file and position, e.g. `Dataset/…/dataset.json#17`."""

    @property
    def instance(self) -> Instance:
        """As a judge is shown it: without the label."""
        unnamed = pair(self.instruction, self.first, self.second, self.subset, self.origin)
        return Instance(self.id, unnamed.subset, unnamed.instruction, unnamed.outputs, {}, unnamed.origin)


PAIRS = shape_of(Pair).schema


def pairs_of(instances: Iterable[Instance], labels: Iterable[Label]) -> Iterator[Pair]:
    """The pairs of a benchmark whose labels say which of two outputs is better."""
    golds = {label.instance: label.word for label in labels if (label.rater, label.question) == (GOLD, BETTER)}
    for instance in instances:
        first, second = instance.texts
        gold: Gold = golds[instance.id]  # type: ignore[assignment]
        yield Pair(instance.id, instance.subset, instance.instruction, first, second, gold, instance.origin)


def read_pairs(instances: Path, labels: Path) -> list[Pair]:
    return list(pairs_of(read_instances(instances), read_labels(labels)))
