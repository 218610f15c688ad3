"""NEIGHBOR: O2 answers another instruction that is close to the one shown."""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.config.typed import Ceiling, Share
from plumbline.derive.chain import RecipeChain, pool_name
from plumbline.derive.derivations.near import Near
from plumbline.derive.derivations.paired import Paired
from plumbline.derive.recipe import WithAnswers, recipe
from plumbline.derive.recipes.gptout import first_texts


@dataclass(frozen=True, kw_only=True)
class Neighbouring(WithAnswers):
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


@recipe(options=Neighbouring)
def neighbor(chain: RecipeChain, options: Neighbouring) -> str:
    """O2 answers the most similar other instruction below the ceiling (LLMBar, section 2.2), down to the floor."""
    near = Near(
        derive="near",
        of=chain.drawn(options),
        pools=[pool_name(pool) for pool in options.pools],
        embedder=options.embedder,
        prefix=options.prefix,
        ceiling=options.ceiling,
        floor=options.floor,
    )
    neighbours = chain.add("near", near)
    texts = first_texts(chain, options, neighbours)
    return chain.add("pairs", Paired(derive="paired", of=neighbours, second="neighbour", texts=texts))
