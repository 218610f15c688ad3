"""CONSTRAINT: an added constraint that a checker can prove to hold or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from plumbline.derive.candidates import Candidate
from plumbline.derive.constraints import STRUCTURES, Words, search, structure
from plumbline.derive.material import Material, Side, candidate_of, reference
from plumbline.derive.pools import Item
from plumbline.derive.strategy import FIRST, Drawn, Needs, TextNeed, strategy
from plumbline.records.files import digest_value

TEMPLATE = "constraint"


@dataclass(frozen=True, kw_only=True)
class Constrained(Drawn):
    """Which constraints are added."""

    first: str = ""
    """Model that writes O1, the weaker answer that meets the constraint; without one it is the reference output, and
    of two compared outputs the worse."""
    structures: list[str] = field(default_factory=list)
    """Which structures of LLMBar's Table 15 (none: all nine)."""

    def __post_init__(self) -> None:
        for name in self.structures:
            structure(name)


def needs(options: Constrained) -> Needs:
    texts = [TextNeed(FIRST, "response", options.first)] if options.first else []
    return Needs(options.pools, texts, templates=[TEMPLATE])


@strategy(options=Constrained, needs=needs)
def constraint(material: Material, options: Constrained) -> Iterator[Candidate]:
    """A weaker O1 that meets an added constraint, a better-looking O2 that does not (LLMBar, F.1)."""
    for item in material.drawn:
        first, second = compared(material, item)
        counted = Words(first.text), Words(second.text)
        for name in options.structures or list(STRUCTURES):
            random = Random(digest_value([options.seed, item.id, name]))
            values = search(name, *counted, random) if all(text.words for text in counted) else None
            sentence = structure(name).sentence(values) if values else ""
            yield candidate_of(
                item,
                instruction=material.wording(TEMPLATE, instruction=item.instruction, constraint=sentence),
                first=first,
                second=second,
                related=item.instruction,
                detail={"structure": name, "values": list(values or ())},
                dropped="" if values else f"no values for {name}",
            )


def compared(material: Material, item: Item) -> tuple[Side, Side]:
    """O1 by the weaker model and the reference output as O2; of two compared outputs the worse as O1."""
    if not item.other:
        return material.first(item), reference(item)
    better = reference(item)
    return Side(item.output if item.gold == "second" else item.other, better.source), better
