"""What reviewers of the second pass chose, blind to the labels, as labels of a benchmark's instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from plumbline.data.labelled import labelled
from plumbline.data.labels import CHOICE, Label
from plumbline.data.loaded import Loaded
from plumbline.derive.review import Decision, Queue, named
from plumbline.records.joblog import log


def with_choices(loaded: Iterable[Loaded], decisions: Sequence[Decision]) -> Iterator[Loaded]:
    """The instances, each with the choices on the pair as it is now; choices that fit no pair are named.

    A choice is known by the words that its reviewer saw, whether in the benchmark or in a set of it.
    """
    found = list(loaded)
    queue = Queue(list(labelled((one.instance for one in found), (label for one in found for label in one.labels))))
    choices: dict[str, list[Label]] = {}
    for (name, reviewer), decision in queue.standing(decisions).items():
        if decision.choice:
            choices.setdefault(name, []).append(Label(name, reviewer, CHOICE, None, decision.choice, None))
    for one in found:
        yield replace(one, labels=(*one.labels, *choices.get(one.instance.id, ())))
    if stale := [decision for decision in queue.stale(decisions) if decision.choice]:
        log.warning("%d choices fit no pair of today's and count for nothing: %s", len(stale), named(stale))
