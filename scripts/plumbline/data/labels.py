"""Labels: what people said of instances, in files of their own that no rule reads which asks a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from plumbline.errors import PlumblineError, nearest
from plumbline.records.rows import read_records, stream_records, write_records

GOLD = "gold"
"""The rater of a benchmark that has one agreed label for each instance."""
BETTER = "better"
"""The question which of two outputs is better: answered first, second or tie."""


@dataclass(frozen=True, slots=True)
class Label:
    """What one rater said about an instance, or about one of its outputs. Several words are several labels."""

    instance: str
    rater: str
    question: str
    about: int | None
    """Which output, counted from 0; None where the label is about the instance as a whole."""
    word: str
    value: float | None
    """The number, where the question is answered with one."""


def write_labels(path: Path, labels: Iterable[Label]) -> None:
    write_records(path, Label, labels)


def read_labels(path: Path) -> list[Label]:
    return read_records(path, Label)


def stream_labels(path: Path) -> Iterator[Label]:
    return stream_records(path, Label)


def checked(labels: Iterable[Label], outputs: dict[str, int], where: str) -> Iterator[Label]:
    """The labels, each about an instance and output that exists, and said once.

    `outputs` has the number of outputs of each instance by its id.
    """
    seen: set[tuple[str, str, str, int | None, str]] = set()
    for number, label in enumerate(labels, start=1):
        place = f"{where}, row {number}"
        if label.instance not in outputs:
            raise PlumblineError(
                f"a label is about the instance {label.instance!r}, which does not exist",
                where=place,
                do=nearest(label.instance, outputs),
            )
        if label.about is not None and not 0 <= label.about < outputs[label.instance]:
            raise PlumblineError(
                f"a label is about output {label.about + 1} of the instance {label.instance}",
                where=place,
                expected=f"1 to {outputs[label.instance]}",
            )
        said = (label.instance, label.rater, label.question, label.about, label.word)
        if said in seen:
            raise PlumblineError(
                f"the rater {label.rater!r} says {label.word!r} twice to {label.question!r} of {label.instance}",
                where=place,
                do="remove one of the rows",
            )
        seen.add(said)
        yield label
