"""The frame of every derivation: what it gives becomes instances with ids, labels that still hold, and a ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from plumbline.config.benchmark import DerivedBenchmark, OfOne
from plumbline.data.instances import Instance
from plumbline.data.labels import Label
from plumbline.data.ledger import KEPT, Entry
from plumbline.data.loaded import Accounted, Loaded
from plumbline.derive.carried import Carried, carried
from plumbline.derive.derivation import Derivation, Derived, Dropped, Made, Result, named
from plumbline.derive.given import ByInstance, GivenSet
from plumbline.derive.identities import InstanceIds
from plumbline.derive.results import outcomes_of, results_of
from plumbline.records.errors import PlumblineError
from plumbline.records.own_code import Misgiven, mistakes_named


@dataclass(frozen=True)
class Parent:
    """A benchmark that another is made of."""

    name: str
    instances: Iterable[Instance]
    labels: ByInstance[Label]


@dataclass(frozen=True)
class Input:
    """What goes into a derivation: an instance of a parent, or what is computed from nothing."""

    parent: str
    instance: Instance | None
    name: str
    labels: Sequence[Label]

    def entry(self, of: Made | Dropped) -> Entry:
        """As the ledger begins it."""
        return Entry(
            self.name,
            of.fate if isinstance(of, Dropped) else KEPT,
            reason=of.reason if isinstance(of, Dropped) else "",
            subset=self.instance.subset if self.instance else "",
            origin=self.instance.origin if self.instance else self.name,
            key=self.instance.key if self.instance else self.name,
            texts={name: text for name, text in of.texts.items() if text},
            facts={name: fact for name, fact in of.facts.items() if fact},
            votes=tuple(of.votes),
        )


class Deriving:
    """One benchmark in the making."""

    def __init__(self, name: str, benchmark: DerivedBenchmark, parents: Iterable[Parent], given: GivenSet) -> None:
        self.name, self.benchmark = name, benchmark
        self.parents = {parent.name: parent for parent in parents}
        self.derivation: Derivation[Any] = named(benchmark.derive)
        self.given = given if self.derivation.labels else without_labels(given)
        self.identities = InstanceIds(name, self._ids_before)

    def run(self) -> Iterator[Accounted]:
        """Every input in the order in which it is stored, with what it became."""
        return self._of_set() if self.derivation.whole else self._of_each()

    def _of_each(self) -> Iterator[Accounted]:
        for parent in self.parents.values():
            for instance in parent.instances:
                given, labels = self.given.of(instance), parent.labels.of(instance)
                if self._takes(instance):
                    given = replace(given, named_labels=labels if self.derivation.labels else None)
                    with self._mistakes_named(instance.id):
                        results = results_of(self.derivation.function(instance, given, self.benchmark))
                    yield from self._derived_of(Input(parent.name, instance, instance.id, labels), results)
            parent.labels.finish()
        self.given.finish()

    def _of_set(self) -> Iterator[Accounted]:
        unaccounted: dict[tuple[str, str], None] = {}

        def taken(parent: Parent) -> Iterator[Instance]:
            for instance in filter(self._takes, parent.instances):
                unaccounted[parent.name, instance.id] = None
                yield instance

        with self._mistakes_named(""):
            given = {name: taken(parent) for name, parent in self.parents.items()}
            for outcome in outcomes_of(self.derivation.function(given, self.given, self.benchmark), self.parents):
                source = self._input_of(outcome)
                unaccounted.pop((source.parent, source.name), None)
                yield self._derived(source, outcome.result)
            for _, instance in unaccounted:
                raise Misgiven(f"it says nothing of the instance {instance}")

    def _ids_before(self) -> Iterator[str]:
        """Of all instances that it is made of."""
        return (instance.id for parent in self.parents.values() for instance in parent.instances)

    def _takes(self, instance: Instance) -> bool:
        """Whether an instance is of a subset that the benchmark takes."""
        wanted = self.benchmark.subsets if isinstance(self.benchmark, OfOne) else ()
        return not wanted or instance.subset in wanted

    def _input_of(self, outcome: Derived) -> Input:
        if isinstance(outcome.of, str):
            return Input("", None, outcome.of, ())
        return Input(outcome.parent, outcome.of, outcome.of.id, self.parents[outcome.parent].labels.of(outcome.of))

    def _derived_of(self, given: Input, results: Sequence[Result]) -> Iterator[Accounted]:
        """A row of the ledger for each result; one for all where there is nothing to tell them apart."""
        derived = [self._derived(given, result) for result in results]
        if len(derived) > 1 and all(one.loaded and not (one.entry.texts or one.entry.facts) for one in derived):
            became = tuple(name for one in derived for name in one.entry.became)
            loaded = tuple(each for one in derived for each in one.loaded)
            left = sum(one.entry.labels_left for one in derived)
            yield Accounted(replace(derived[0].entry, became=became, labels_left=left), loaded)
        else:
            yield from derived

    def _derived(self, given: Input, result: Result) -> Accounted:
        of = Made(result) if isinstance(result, Instance) else result
        entry = given.entry(of)
        if isinstance(of, Dropped):
            return Accounted(entry)
        instance = self.identities.of(of.instance, given.instance, given.parent)
        labels = self._labels(given, of, instance)
        entry = replace(entry, became=(instance.id,), labels_left=labels.left_out)
        return Accounted(entry, (Loaded(instance, tuple(labels.labels)),))

    def _labels(self, given: Input, of: Made, instance: Instance) -> Carried:
        if of.labels is None:
            return carried(given.labels, given.instance, instance) if given.instance else Carried((), 0)
        if not self.derivation.labels:
            raise PlumblineError(
                f"the derivation {self.derivation.name!r} gives labels and does not name them",
                where=f"benchmark {self.name}, instance {given.name}",
                do="register it with labels=True",
            )
        return Carried([replace(label, instance=instance.id) for label in of.labels], 0)

    def _mistakes_named(self, instance: str) -> AbstractContextManager[None]:
        place = f"benchmark {self.name}" + (f", instance {instance}" if instance else "")
        return mistakes_named(f"the derivation {self.derivation.name!r}", self.derivation.function, lambda: place)


def without_labels(given: GivenSet) -> GivenSet:
    """What a derivation gets that does not name labels."""
    return replace(given, labels=None, vectors=[replace(vectors, labels={}) for vectors in given.vectors])
