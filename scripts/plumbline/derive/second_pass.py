"""What reviewers of the second pass chose, blind to the labels, as labels of a benchmark's instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from plumbline.data.labels import CHOICE, Label
from plumbline.data.loaded import Loaded
from plumbline.derive.pairs import pairs_of
from plumbline.derive.review import Decision, latest, shown_digest
from plumbline.derive.reviewed import named
from plumbline.records.joblog import log


def with_choices(loaded: Iterable[Loaded], decisions: Sequence[Decision]) -> Iterator[Loaded]:
    """The instances, each with the choices on the pair as it is now; choices that fit no pair are named.

    A choice is known by the words that its reviewer saw, whether in the benchmark or in a set of it.
    """
    chosen: dict[str, list[Decision]] = {}
    for decision in latest(decisions).values():
        if decision.choice:
            chosen.setdefault(decision.shown, []).append(decision)
    for one in loaded:
        [pair] = pairs_of([one.instance], one.labels)
        found = chosen.pop(shown_digest(pair), [])
        labels = [Label(one.instance.id, said.reviewer, CHOICE, None, said.choice, None) for said in found]
        yield replace(one, labels=(*one.labels, *labels))
    if stale := [decision for left in chosen.values() for decision in left]:
        log.warning("%d choices fit no pair of today's and count for nothing: %s", len(stale), named(stale))
