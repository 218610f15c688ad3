"""Pairs as people decided about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from plumbline.config.benchmark import OfOne
from plumbline.data.instances import Instance
from plumbline.derive.derivation import Outcome, derivation
from plumbline.derive.given import GivenSet
from plumbline.derive.needs import Needs


@dataclass(frozen=True, kw_only=True)
class Decided(OfOne):
    """Who decided."""

    decisions: list[str] = field(default_factory=list)
    """Files of people's decisions, one a reviewer."""


@derivation(options=Decided, needs=lambda options: Needs(files=options.decisions), whole=True, labels=True)
def decided(benchmarks: Mapping[str, Iterable[Instance]], given: GivenSet, options: Decided) -> Iterator[Outcome]:
    """Kept, edited, swapped or discarded; what people have not agreed on is no part of the reviewed set."""
    raise NotImplementedError
