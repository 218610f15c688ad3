"""NEIGHBOR: O2 answers another instruction that is close to the one shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.config.typed import Ceiling, Share
from plumbline.derive.candidates import Candidate
from plumbline.derive.material import Material, Side, candidate_of, reference
from plumbline.derive.retrieval import why_no_neighbour
from plumbline.derive.strategy import Answered, Needs, Retrieval, strategy


@dataclass(frozen=True, kw_only=True)
class Neighbouring(Answered):
    """Which instructions are neighbours."""

    embedder: str
    """Model that embeds instructions."""
    prefix: str = ""
    """Text put before each instruction when it is embedded (INSTRUCTOR takes one, MiniLM none)."""
    ceiling: Ceiling = 0.9
    """Only instructions less similar than this are neighbours (epsilon; the paper gives no value)."""
    floor: Share = 0.0
    """An instruction whose neighbour is less similar than this makes no pair (0: all do, as in the paper). In a small
    pool the nearest instruction is often an unrelated one."""


def needs(options: Neighbouring) -> Needs:
    retrieval = Retrieval(options.embedder, options.prefix, options.ceiling, options.floor)
    return Needs(options.pools, options.first_text, retrieval)


@strategy(options=Neighbouring, needs=needs)
def neighbor(material: Material, options: Neighbouring) -> Iterator[Candidate]:
    """O2 answers the most similar other instruction below the ceiling (LLMBar, section 2.2), down to the floor."""
    by_name = {item.id: item for item in material.items}
    for item in material.drawn:
        near = material.neighbours[item.id]
        other = by_name.get(near["neighbour"])
        yield candidate_of(
            item,
            first=material.first(item),
            second=reference(other) if other else Side("", ""),
            related=other.instruction if other else "",
            similarity=near["similarity"],
            dropped=why_no_neighbour(near, options.floor),
        )
