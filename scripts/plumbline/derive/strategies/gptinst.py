"""GPTINST: O2 answers an instruction that a model made of the one shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.derive.candidates import Candidate
from plumbline.derive.material import Material, candidate_of, why_useless
from plumbline.derive.strategy import CHANGED, SECOND, Answered, Needs, TextNeed, strategy


@dataclass(frozen=True, kw_only=True)
class Changed(Answered):
    """Who changes the instruction, and who answers it."""

    perturb: str
    """Model that changes the instruction."""
    second: str
    """Model that writes O2, the answer to the changed instruction."""


def needs(options: Changed) -> Needs:
    changed = TextNeed(CHANGED, "perturbed", options.perturb)
    second = TextNeed(SECOND, "response", options.second, about=CHANGED)
    return Needs(options.pools, [changed, *options.first_text, second])


@strategy(options=Changed, needs=needs)
def gptinst(material: Material, options: Changed) -> Iterator[Candidate]:
    """O2 answers an instruction that a strong model made of I (LLMBar, appendix A.3)."""
    for item in material.drawn:
        changed = material.texts[CHANGED][item.id]
        yield candidate_of(
            item,
            first=material.first(item),
            second=material.asked(SECOND, item),
            related=changed.text,
            dropped=why_useless(changed, item.instruction),
        )
