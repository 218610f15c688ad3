"""NATURAL: pairs that people compared."""

from __future__ import annotations

from plumbline.derive.chain import RecipeChain
from plumbline.derive.derivations.paired import Paired
from plumbline.derive.recipe import Drawn, recipe


@recipe(options=Drawn)
def natural(chain: RecipeChain, options: Drawn) -> str:
    """Pairs that people compared (LLMBar, section 2.1); a tie has no better output."""
    return chain.add("pairs", Paired(derive="paired", of=chain.drawn(options), second="compared"))
