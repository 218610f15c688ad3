"""NORMAL: the pairs of a negation set under their plain instruction."""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.config.construct import Construct
from plumbline.derive.chain import RecipeChain
from plumbline.derive.derivations.turned_back import TurnedBack
from plumbline.derive.recipe import recipe


@dataclass(frozen=True, kw_only=True)
class Counterpart(Construct):
    """Which set is turned back."""

    counterpart: str
    """The negation set whose pairs are turned back."""


@recipe(options=Counterpart)
def normal(chain: RecipeChain, options: Counterpart) -> str:
    """The negation set's pairs under their plain instruction, with the label turned (LLMBar, F.2)."""
    last, plain = chain.finished(options.counterpart), chain.beginning(options.counterpart)
    return chain.add("pairs", TurnedBack(derive="turned_back", of=last, plain=plain))
