"""MANUAL: pairs that people wrote, or any benchmark to be filtered anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from plumbline.config.construct import Construct
from plumbline.derive.candidates import Candidate
from plumbline.derive.material import Material
from plumbline.derive.strategy import Needs, strategy
from plumbline.records.files import canonical


@dataclass(frozen=True, kw_only=True)
class Given(Construct):
    """Which pairs are the candidates."""

    benchmark: str
    """The benchmark whose pairs are the candidates, written by people."""
    subsets: list[str] = field(default_factory=list)
    """Which of its subsets (none: all)."""


@strategy(options=Given, needs=lambda options: Needs(benchmark=options.benchmark, subsets=options.subsets))
def manual(material: Material, options: Given) -> Iterator[Candidate]:
    """Pairs that people wrote (LLMBar, A.5), or any benchmark to be filtered anew."""
    for pair in material.pairs:
        if options.subsets and pair.subset not in options.subsets:
            continue
        yield Candidate(
            id=pair.id,
            instruction=pair.instruction,
            first=pair.first,
            second=pair.second,
            gold=pair.gold,
            item=pair.id,
            related="",
            similarity=None,
            first_from="given",
            second_from="given",
            detail=canonical({"subset": pair.subset}),
            origin=pair.origin,
        )
