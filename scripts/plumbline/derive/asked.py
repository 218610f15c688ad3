"""The instructions that models write about for sets built together, and what they wrote for each set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.asking.protocols import StepName
from plumbline.config.construct import Construct
from plumbline.data import texts as data
from plumbline.data.instances import Instance, InstanceFile, identified
from plumbline.derive.material import Text, why_useless
from plumbline.derive.pools import Item
from plumbline.derive.strategy import needs_of
from plumbline.records.rows import stream_records

PERTURBING, WRITING, FILTERING = "perturbing", "writing", "filtering"
"""The parts of a build in which models are asked: for instructions, for outputs, for labels."""


@dataclass(frozen=True)
class SetText:
    """A kind of text that a set takes, and where it is found."""

    role: str
    about: str
    """The role of the instructions that it is written about; none: the drawn ones."""
    part: str
    """In which part of a build it is asked for."""
    step: str
    """As it is asked for: write:STEP@WORDING."""
    model: str


def texts_of(declared: Construct) -> list[SetText]:
    """What others are written about comes first, all else in one go after it."""
    needed = needs_of(declared).texts
    abouts = {need.about for need in needed}
    return [
        SetText(
            need.role,
            need.about,
            PERTURBING if need.role in abouts else WRITING,
            str(StepName(need.step, declared.prompts)),
            need.model,
        )
        for need in needed
    ]


def subset_of(name: str, about: str) -> str:
    """The subset of a set's instructions, drawn or changed, in a part of a build."""
    return f"{name}/{about}" if about else name


@dataclass(frozen=True)
class TextFiles:
    """What models wrote in the parts of a build: by part the instances, by part and model the texts."""

    instances: Mapping[str, Path]
    written: Mapping[tuple[str, str], Path]

    @classmethod
    def of(cls, instances: Iterable[Path], written: Iterable[Path]) -> TextFiles:
        return cls({path.stem: path for path in instances}, {(path.parent.name, path.stem): path for path in written})

    def of_set(self, name: str, wanted: Iterable[SetText]) -> dict[str, dict[str, Text]]:
        """A set's texts by role and item."""
        return {kind.role: self._texts(subset_of(name, kind.about), kind) for kind in wanted}

    def _texts(self, subset: str, kind: SetText) -> dict[str, Text]:
        instances = InstanceFile.whole(self.instances[kind.part])
        items = {instance.id: instance.key for instance in instances if instance.subset == subset}
        texts = stream_records(self.written[kind.part, kind.model], data.Text)
        found = (text for text in texts if text.step == kind.step and text.instance in items)
        return {items[text.instance]: Text(text.text, text.state) for text in found}


@dataclass(frozen=True)
class Drawn:
    """The drawn items of a set, and its changed instructions by role."""

    name: str
    items: Sequence[Item]
    changed: Mapping[str, Mapping[str, Text]]


def asked_about(sets: Iterable[tuple[Drawn, str]]) -> Iterator[Instance]:
    """The instructions of each set that models write about: drawn ones, or those of a role as far as they are of use.

    The subset names the set and the role, the key the item.
    """
    return identified(instance for drawn, about in sets for instance in _asked_about(drawn, about))


def _asked_about(drawn: Drawn, about: str) -> Iterator[Instance]:
    subset = subset_of(drawn.name, about)
    for item in drawn.items:
        changed = drawn.changed[about][item.id] if about else Text(item.instruction)
        if not about or not why_useless(changed, item.instruction):
            yield Instance("", subset, changed.text, (), {}, item.origin, item.id)
