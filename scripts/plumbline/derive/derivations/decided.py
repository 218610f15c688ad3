"""Pairs as people decided about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from plumbline.config.benchmark import OfOne
from plumbline.data.instances import INPUT, Instance
from plumbline.data.labelled import Labelled
from plumbline.data.loaded import gold
from plumbline.derive.derivation import Derived, Dropped, Made, Result, derivation
from plumbline.derive.given import GivenSet
from plumbline.derive.needs import Needs
from plumbline.derive.review import Conflict, Reviewed, apply_decisions, decisions_in, named
from plumbline.records.joblog import log


@dataclass(frozen=True, kw_only=True)
class Decided(OfOne):
    """Who decided."""

    decisions: list[str] = field(default_factory=list)
    """Files of people's decisions, one a reviewer."""


@derivation(options=Decided, needs=lambda options: Needs(files=options.decisions), whole=True, labels=True)
def decided(benchmarks: Mapping[str, Iterable[Instance]], given: GivenSet, options: Decided) -> Iterator[Derived]:
    """Kept, edited, swapped or discarded; what people have not agreed on is no part of the reviewed set."""
    [(name, instances)] = benchmarks.items()
    queue = [Labelled(instance, given.of(instance).gold) for instance in instances]  # type: ignore[arg-type]
    decisions = [decision for file, data in given.files.items() for decision in decisions_in(data, file)]
    review = apply_decisions(queue, decisions)
    if review.stale:
        what = "%d decisions fit no pair of today's and count for nothing: %s"
        log.warning(what, len(review.stale), named(review.stale))
    conflicts = {conflict.item: conflict for conflict in review.conflicts}
    for pair, reviewed in zip(queue, review.reviewed, strict=True):
        yield Derived(name, pair.instance, result_of(reviewed, conflicts.get(pair.id)))


def result_of(reviewed: Reviewed, conflict: Conflict | None) -> Result:
    pair, reviewers = reviewed.pair, conflict.by_reviewer if conflict else reviewed.reviewers
    facts = {"state": reviewed.status, "reviewers": ", ".join(reviewers)}
    if reviewed.status == "discarded":
        return Dropped(f"discarded: {reviewed.reason}", facts=facts)
    if reviewed.status == "unreviewed":
        return Dropped("reviewers disagree" if conflict else "not reviewed yet", facts=facts)
    edited = {"instruction": pair.instance.instruction, "first output": pair.first, "second output": pair.second}
    texts = {f"{name} as edited": text for name, text in edited.items()} if reviewed.status == "edited" else {}
    return Made(without_lost_input(pair.instance), [gold(pair.gold, pair.instance.origin)], texts, facts)


def without_lost_input(instance: Instance) -> Instance:
    """An instruction that was edited may no longer end with the input that it had."""
    given = instance.context.get(INPUT, ())
    if all(instance.instruction.endswith(text) for text in given):
        return instance
    context = {name: texts for name, texts in instance.context.items() if name != INPUT}
    return replace(instance, context=context)
