"""What reviewers of the second pass chose, blind to the labels, as labels of a benchmark's instances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plumbline.data.labels import CHOICE, Label
from plumbline.data.loaded import Loaded
from plumbline.derive.given import gold_in
from plumbline.derive.review import Decision, decisions_in, latest, named, shown_digest
from plumbline.records.joblog import log
from plumbline.sources.archive import SourceFiles


@dataclass
class Choices:
    """By the words that a reviewer saw, what was chosen; whether in the benchmark or in a set of it."""

    chosen: dict[str, list[Decision]]

    @classmethod
    def read(cls, kept: SourceFiles, files: Sequence[str]) -> Choices:
        return cls.of([decision for file in files for decision in decisions_in(kept.read(file), file)])

    @classmethod
    def of(cls, decisions: Sequence[Decision]) -> Choices:
        chosen: dict[str, list[Decision]] = {}
        for decision in latest(decisions).values():
            if decision.choice:
                chosen.setdefault(decision.shown, []).append(decision)
        return cls(chosen)

    def joined(self, one: Loaded) -> Loaded:
        """The instance, with the choices on the pair as it is now."""
        found = self.chosen.pop(shown_digest(one.instance, gold_in(one.labels)), [])
        labels = [Label(one.instance.id, said.reviewer, CHOICE, None, said.choice, None) for said in found]
        return replace(one, labels=(*one.labels, *labels))

    def finish(self) -> None:
        """Choices that fit no pair are named."""
        if stale := [decision for left in self.chosen.values() for decision in left]:
            log.warning("%d choices fit no pair of today's and count for nothing: %s", len(stale), named(stale))
