"""GPTOUT: O2 is written to look right and be of no use."""

from __future__ import annotations

from collections.abc import Iterator

from plumbline.derive.candidates import Candidate
from plumbline.derive.material import Material, candidate_of
from plumbline.derive.strategy import SECOND, Misled, Needs, strategy


@strategy(options=Misled, needs=lambda options: Needs(options.pools, options.texts))
def gptout(material: Material, options: Misled) -> Iterator[Candidate]:
    """O2 is written to look right and be of no use (LLMBar, appendix A.4)."""
    for item in material.drawn:
        yield candidate_of(item, first=material.first(item), second=material.asked(SECOND, item))
