"""Several benchmarks as one, each as a subset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from plumbline.config.benchmark import DerivedBenchmark
from plumbline.config.typed import Count
from plumbline.data.instances import Instance
from plumbline.data.ledger import NOT_DRAWN
from plumbline.derive.derivation import Derived, Dropped, derivation
from plumbline.derive.given import GivenSet
from plumbline.records.joblog import log


@dataclass(frozen=True, kw_only=True)
class Together(DerivedBenchmark):
    """Which benchmarks. Each subset names a set of config/construct/, or a benchmark; SET/unreviewed is the set before
    people decided. Sets that stand together are built together: who writes or filters is loaded once for all."""

    limit: Count = 0
    """Take only the first so many instances of each subset (0: all)."""

    @property
    def parents(self) -> list[str]:
        return list(self.subsets.values())


@derivation(options=Together, whole=True)
def together(benchmarks: Mapping[str, Iterable[Instance]], given: GivenSet, options: Together) -> Iterator[Derived]:
    """The instances of each benchmark under the name of its subset; one may come out empty, and its subset with it."""
    empty = []
    for subset, name in options.subsets.items():
        instances = iter(benchmarks[name])
        taken = list(islice(instances, options.limit)) if options.limit else instances
        count = 0
        for instance in taken:
            count += 1
            yield Derived(name, instance, replace(instance, subset=subset))
        for instance in instances:
            yield Derived(name, instance, Dropped("", fate=NOT_DRAWN))
        empty += [] if count else [subset]
    if empty:
        log.warning("came out empty, so that no table can have them as a column: %s", ", ".join(map(repr, empty)))
