"""So many instances of some benchmarks, drawn at random."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from plumbline.config.benchmark import DerivedBenchmark
from plumbline.config.typed import Count
from plumbline.data.instances import Instance
from plumbline.data.ledger import NOT_DRAWN
from plumbline.derive.derivation import Derived, Dropped, derivation
from plumbline.derive.given import GivenSet
from plumbline.records.files import digest_value


@dataclass(frozen=True, kw_only=True)
class Draw(DerivedBenchmark):
    """What is drawn."""

    of: list[str]
    """The benchmarks that are drawn from."""
    size: Count = 0
    """How many instances are drawn of all of them (0: all there are)."""
    seed: int = 20240424
    """What decides the draw, with each instance's own key."""

    @property
    def parents(self) -> list[str]:
        return self.of


@derivation(options=Draw, whole=True)
def draw(benchmarks: Mapping[str, Iterable[Instance]], given: GivenSet, options: Draw) -> Iterator[Derived]:
    """Each instance by a draw of its own: what else there is to draw from does not move it."""
    every = [(name, instance) for name, instances in benchmarks.items() for instance in instances]
    ranked = sorted(every, key=lambda one: digest_value([options.seed, one[1].name]))
    chosen = {id(instance) for _, instance in ranked[: options.size or None]}
    for name, instance in every:
        drawn = id(instance) in chosen
        yield Derived(name, instance, instance if drawn else Dropped("", fate=NOT_DRAWN))
