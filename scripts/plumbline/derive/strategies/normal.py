"""NORMAL: the pairs of a negation set under their plain instruction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.config.construct import Construct
from plumbline.derive.candidates import Candidate
from plumbline.derive.material import Material
from plumbline.derive.pairs import Gold
from plumbline.derive.strategy import Needs, strategy

OTHER: dict[Gold, Gold] = {"first": "second", "second": "first", "tie": "tie"}


@dataclass(frozen=True, kw_only=True)
class Turned(Construct):
    """Which set is turned back."""

    counterpart: str
    """The negation set whose pairs are turned back."""


@strategy(options=Turned, needs=lambda options: Needs(counterpart=options.counterpart))
def normal(material: Material, options: Turned) -> Iterator[Candidate]:
    """The negation set's pairs under their plain instruction, with the label turned (LLMBar, F.2)."""
    for final in material.finals:
        if not final.dropped:
            yield Candidate(
                id="",
                instruction=final.related,
                first=final.first,
                second=final.second,
                gold=OTHER[final.gold],
                item=final.item,
                related=final.instruction,
                similarity=None,
                first_from=f"pair {final.id}",
                second_from=f"pair {final.id}",
                detail="",
                origin=final.origin,
            )
