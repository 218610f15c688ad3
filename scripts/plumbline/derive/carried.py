"""What becomes of labels when an instance becomes another: they go with the outputs that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from plumbline.data.instances import DOCUMENT, Instance
from plumbline.data.labels import BETTER, CHOICE, Label

PLACES = ("first", "second")
"""Words that name an output by its place."""
BY_PLACE = (BETTER, CHOICE)
"""Questions that are answered with them."""


@dataclass(frozen=True)
class Carried:
    """The labels that still hold, and how many were left out since what they were about was changed."""

    labels: Sequence[Label]
    left_out: int


def carried(labels: Iterable[Label], before: Instance, after: Instance) -> Carried:
    """Outputs are known by their text and system, not by their place, so that `about`, first and second follow them.

    What people said of an instruction holds of no other one.
    """
    given = list(labels)
    if task_of(before) != task_of(after):
        return Carried((), len(given))
    places = new_places(before, after)
    kept = [moved for label in given if (moved := _moved(label, places, after.id))]
    return Carried(kept, len(given) - len(kept))


def task_of(instance: Instance) -> tuple[str, ...]:
    """What the outputs answer."""
    return (instance.instruction, *instance.context.get(DOCUMENT, ()))


def content_of(instance: Instance) -> tuple[object, ...]:
    """What an id is made of."""
    return (task_of(instance), instance.texts)


def new_places(before: Instance, after: Instance) -> dict[int, int]:
    """Where each output stands now; of equal ones the first goes with the first. One that is gone has no place."""
    free = list(enumerate(after.outputs))
    places: dict[int, int] = {}
    for place, output in enumerate(before.outputs):
        for at, (new, other) in enumerate(free):
            if other == output:
                places[place] = new
                del free[at]
                break
    return places


def _moved(label: Label, places: dict[int, int], instance: str) -> Label | None:
    """The label about the same outputs; nothing where one of them is gone."""
    if label.about is not None:
        about = places.get(label.about)
        return None if about is None else replace(label, instance=instance, about=about)
    if label.question not in BY_PLACE:
        return replace(label, instance=instance)
    if {places.get(0), places.get(1)} != {0, 1}:
        return None
    word = PLACES[places[PLACES.index(label.word)]] if label.word in PLACES else label.word
    return replace(label, instance=instance, word=word)
