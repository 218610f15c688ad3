"""Instances with rated answers about other documents, which prompts about them may show.

Which answers are drawn hangs on the instances and the seed, not on how they were rated: a changed rating changes the
examples that show it and no other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import median_low

from plumbline.config.benchmark import OfOne
from plumbline.config.typed import Count, Positive
from plumbline.data.instances import DOCUMENT, RATED_EXAMPLES, Instance, content_id
from plumbline.data.labels import Label
from plumbline.derive.derivation import Derived, derivation
from plumbline.derive.given import GivenSet
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True, kw_only=True)
class Examples(OfOne):
    """Which rated answers an instance gets."""

    question: str
    """Which question's ratings they show; of several raters the middle one counts, of two the lower."""
    count: Positive
    """How many an instance gets; a protocol shows the first so many of them."""
    seed: Count = 1
    """What decides the draw."""


@dataclass(frozen=True)
class RatedInstance:
    """An instance with the ratings of its outputs."""

    instance: Instance
    ratings: Mapping[int, float]

    @property
    def document(self) -> tuple[str, ...]:
        """What no example may share with the instance that it is shown with."""
        return document_of(self.instance)


def document_of(instance: Instance) -> tuple[str, ...]:
    return instance.context.get(DOCUMENT) or (instance.instruction,)


@derivation(options=Examples, whole=True, labels=True)
def rated_examples(
    benchmarks: Mapping[str, Iterable[Instance]], given: GivenSet, options: Examples
) -> Iterator[Derived]:
    """Each instance with answers about different documents, none of them its own (riSum, appendix A)."""
    [(name, read)] = benchmarks.items()
    instances = list(read)
    documents: dict[tuple[str, ...], list[RatedInstance]] = {}
    for instance in instances:
        if ratings := ratings_of(given.of(instance).labels, options.question):
            documents.setdefault(document_of(instance), []).append(RatedInstance(instance, ratings))
    for instance in instances:
        texts = tuple(examples(instance, documents, options))
        yield Derived(name, instance, replace(instance, context={**instance.context, RATED_EXAMPLES: texts}))


def ratings_of(labels: Iterable[Label], question: str) -> dict[int, float]:
    """The middle rating of each output, of two the lower: one that a rater gave."""
    values: dict[int, list[float]] = {}
    for label in labels:
        if label.question == question and label.about is not None and label.value is not None:
            values.setdefault(label.about, []).append(label.value)
    return {about: median_low(each) for about, each in values.items()}


def examples(
    instance: Instance, documents: Mapping[tuple[str, ...], Sequence[RatedInstance]], options: Examples
) -> Iterator[str]:
    draw, known = Random(content_id(str(options.seed), instance.id)), list(documents)
    drawn = draw.sample(known, min(options.count + 1, len(known)))
    others = [document for document in drawn if document != document_of(instance)][: options.count]
    if len(others) < options.count:
        raise PlumblineError(
            f"there are no {options.count} other documents with a rated answer",
            where=f"instance {instance.id} ({instance.origin})",
            found=f"{len(others)}",
            do="lower the benchmark's `count`",
        )
    for document in others:
        chosen = draw.choice(documents[document])
        yield example(chosen, draw.choice(sorted(chosen.ratings)))


def example(chosen: RatedInstance, about: int) -> str:
    """As it stands in the context."""
    shown = chosen.instance
    text = {
        "document": "\n\n".join(shown.context.get(DOCUMENT, ())),
        "instruction": shown.instruction,
        "answer": shown.texts[about],
        "rating": chosen.ratings[about],
    }
    return json.dumps(text)
