"""What reviewers of the second pass chose, blind to the labels, as labels of a benchmark's instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from plumbline.data.labelled import labelled
from plumbline.data.labels import CHOICE, Label
from plumbline.data.loaded import Accounted, Loaded
from plumbline.derive.review import Decision, Queue, decisions_in, named
from plumbline.records.joblog import log
from plumbline.sources.archive import SourceFiles


def chosen_in(kept: SourceFiles, files: Sequence[str]) -> list[Decision]:
    """What reviewers chose, from their files as they are kept with the results."""
    return [decision for file in files for decision in decisions_in(kept.read(file), file)]


def with_choices(accounted: Iterable[Accounted], decisions: Sequence[Decision]) -> Iterator[Accounted]:
    """The instances, each with the choices on the pair as it is now; choices that fit no pair are named.

    A choice is known by the words that its reviewer saw, whether in the benchmark or in a set of it.
    """
    entries = list(accounted)
    loaded = [loaded for one in entries for loaded in one.loaded]
    queue = Queue(list(labelled((one.instance for one in loaded), (label for one in loaded for label in one.labels))))
    choices: dict[str, list[Label]] = {}
    for (name, reviewer), decision in queue.standing(decisions).items():
        if decision.choice:
            choices.setdefault(name, []).append(Label(name, reviewer, CHOICE, None, decision.choice, None))
    for one in entries:
        yield replace(one, loaded=tuple(_chosen(each, choices) for each in one.loaded))
    if stale := [decision for decision in queue.stale(decisions) if decision.choice]:
        log.warning("%d choices fit no pair of today's and count for nothing: %s", len(stale), named(stale))


def _chosen(one: Loaded, choices: dict[str, list[Label]]) -> Loaded:
    return replace(one, labels=(*one.labels, *choices.get(one.instance.id, ())))
