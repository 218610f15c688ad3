"""NEGATION: an instruction that asks to be of no help."""

from __future__ import annotations

from collections.abc import Iterator

from plumbline.derive.candidates import Candidate
from plumbline.derive.material import Material, candidate_of
from plumbline.derive.strategy import SECOND, Misled, Needs, strategy

TEMPLATE = "negation"


@strategy(options=Misled, needs=lambda options: Needs(options.pools, options.texts, templates=[TEMPLATE]))
def negation(material: Material, options: Misled) -> Iterator[Candidate]:
    """GPTOUT's outputs, for an instruction that asks to be of no use: O2 is the better one (LLMBar, F.2)."""
    for item in material.drawn:
        yield candidate_of(
            item,
            instruction=material.wording(TEMPLATE, instruction=item.instruction),
            first=material.first(item),
            second=material.asked(SECOND, item),
            gold="second",
            related=item.instruction,
        )
