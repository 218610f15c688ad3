"""A benchmark with people's labels as a folder that Hugging Face's `datasets` reads: its instances, the labels in a row
each, digests, and a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.data.instances import Instance, Output
from plumbline.data.labels import GOLD, Label
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.records.errors import PlumblineError
from plumbline.records.files import write_text
from plumbline.records.rows import write_records
from plumbline.report.card import DIGESTS, Card, write_digests
from plumbline.report.labelled_card import FILES, Declared, Labelled, Made, card_of


@dataclass(frozen=True)
class ContextText:
    """A text that belongs to an instruction."""

    name: str
    text: str


@dataclass(frozen=True)
class ExportedInstance:
    """An instance as it is published."""

    id: str
    key: str
    subset: str
    instruction: str
    context: tuple[ContextText, ...]
    outputs: tuple[Output, ...]
    origin: str


@dataclass(frozen=True)
class ExportedLabel:
    """A label as it is published, and as a benchmark's `labels` reads it."""

    instance: str
    rater: str
    question: str
    about: int | None
    word: str
    value: float | None


def export_labelled(
    folder: Path, labelled: Sequence[Labelled], card: Card, declared: Declared, made: Made, bootstrap: Bootstrap
) -> list[Path]:
    """Write the folder. Equal data give equal bytes."""
    labels = [label for _, said in labelled for label in said]
    if not labels:
        raise PlumblineError("nobody has labelled this benchmark", where=str(folder), do="plumbline label BENCHMARK")
    numbers = numbered(labels)
    files = [folder / name for name in FILES.values()]
    write_records(files[0], ExportedInstance, (_instance(instance) for instance, _ in labelled))
    write_records(files[1], ExportedLabel, (_label(label, numbers) for label in labels))
    digests = write_digests(folder, files)
    write_text(folder / "README.md", card_of(labelled, numbers, card, declared, made, digests, bootstrap))
    return [*files, folder / DIGESTS, folder / "README.md"]


def numbered(labels: Iterable[Label]) -> dict[str, str]:
    """By rater the number that stands for the name, which stays here; whoever is a number already keeps it."""
    names = list(dict.fromkeys(label.rater for label in labels if label.rater != GOLD))
    if all(name.isdecimal() for name in names):
        return {name: name for name in (*names, GOLD)}
    return {name: str(number) for number, name in enumerate(names, start=1)} | {GOLD: GOLD}


def _instance(instance: Instance) -> ExportedInstance:
    context = tuple(ContextText(name, text) for name, texts in instance.context.items() for text in texts)
    return ExportedInstance(
        instance.id,
        instance.key,
        instance.subset,
        instance.instruction,
        context,
        instance.outputs,
        instance.origin,
    )


def _label(label: Label, numbers: Mapping[str, str]) -> ExportedLabel:
    about = None if label.about is None else label.about + 1
    return ExportedLabel(label.instance, numbers[label.rater], label.question, about, label.word, label.value)
