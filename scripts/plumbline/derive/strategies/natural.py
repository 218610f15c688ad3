"""NATURAL: pairs that people compared."""

from __future__ import annotations

from collections.abc import Iterator

from plumbline.derive.candidates import Candidate
from plumbline.derive.material import Material, Side, candidate_of
from plumbline.derive.strategy import Drawn, Needs, strategy


@strategy(options=Drawn, needs=lambda options: Needs(options.pools))
def natural(material: Material, options: Drawn) -> Iterator[Candidate]:
    """Pairs that people compared (LLMBar, section 2.1); a tie has no better output."""
    for item in material.drawn:
        yield candidate_of(
            item,
            first=Side(item.output, f"reference {item.id}"),
            second=Side(item.other, f"reference {item.id}"),
            gold="second" if item.gold == "second" else "first",
            dropped="people found no difference" if item.gold == "tie" else "",
        )
