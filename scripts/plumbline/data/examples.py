"""Rated examples for prompts, drawn from what people said of other documents, as a file of its own.

Which answers are drawn hangs on the instances and the seed, not on how they were rated: a changed rating changes the
examples that show it and no other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import median_low

from plumbline.config.benchmark import Examples
from plumbline.data.instances import DOCUMENT, Instance, InstanceFile, content_id
from plumbline.data.labels import Label, stream_labels
from plumbline.records.errors import PlumblineError
from plumbline.records.rows import stream_records, write_records

RATED_EXAMPLES = "rated_examples"
"""The part of the context with the rated answers of other documents that a prompt may show."""


@dataclass(frozen=True, slots=True)
class RatedExample:
    """A rated answer that the prompts about an instance may show."""

    instance: str
    document: str
    instruction: str
    answer: str
    rating: float

    @property
    def text(self) -> str:
        """As it stands in the context."""
        return json.dumps({name: value for name, value in asdict(self).items() if name != "instance"})


@dataclass(frozen=True)
class Rated:
    """An instance's outputs that somebody rated."""

    instance: Instance
    ratings: Mapping[int, float]

    @property
    def document(self) -> tuple[str, ...]:
        """What no example may share with the instance that it is shown with."""
        return self.instance.context.get(DOCUMENT) or (self.instance.instruction,)


def write_examples(out: Path, instances: Path, labels: Path, declared: Examples) -> None:
    """So many examples for each instance, in the order of the instances."""
    rated = all_rated(InstanceFile.whole(instances), stream_labels(labels), declared.question)
    write_records(out, RatedExample, examples(InstanceFile.whole(instances), rated, declared))


def all_rated(instances: Iterable[Instance], labels: Iterable[Label], question: str) -> list[Rated]:
    """The middle rating of each output, of two the lower: one that a rater gave."""
    given: dict[str, dict[int, list[float]]] = {}
    for label in labels:
        if label.question == question and label.about is not None and label.value is not None:
            given.setdefault(label.instance, {}).setdefault(label.about, []).append(label.value)
    return [
        Rated(instance, {about: median_low(values) for about, values in given[instance.id].items()})
        for instance in instances
        if instance.id in given
    ]


def examples(instances: Iterable[Instance], rated: Sequence[Rated], declared: Examples) -> Iterator[RatedExample]:
    """Of each instance, answers about different documents, none of them its own."""
    documents: dict[tuple[str, ...], list[Rated]] = {}
    for one in rated:
        documents.setdefault(one.document, []).append(one)
    known = list(documents)
    for instance in instances:
        draw = Random(content_id(str(declared.seed), instance.id))
        own = Rated(instance, {}).document
        drawn = draw.sample(known, min(declared.count + 1, len(known)))
        others = [document for document in drawn if document != own][: declared.count]
        if len(others) < declared.count:
            raise PlumblineError(
                f"there are no {declared.count} other documents with a rated answer",
                where=f"instance {instance.id} ({instance.origin})",
                found=f"{len(others)}",
                do="lower the benchmark's `examples.count`",
            )
        for document in others:
            chosen = draw.choice(documents[document])
            about = draw.choice(sorted(chosen.ratings))
            yield example(instance, chosen, about)


def example(instance: Instance, chosen: Rated, about: int) -> RatedExample:
    shown = chosen.instance
    document = "\n\n".join(shown.context.get(DOCUMENT, ()))
    return RatedExample(instance.id, document, shown.instruction, shown.texts[about], chosen.ratings[about])


def stream_examples(path: Path) -> Iterator[RatedExample]:
    return stream_records(path, RatedExample)
