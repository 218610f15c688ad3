"""MANUAL: pairs that people wrote, or any benchmark to be filtered anew."""

from __future__ import annotations

from dataclasses import dataclass, field

from plumbline.config.benchmark import OfOne
from plumbline.config.construct import Construct
from plumbline.derive.chain import RecipeChain
from plumbline.derive.recipe import recipe


@dataclass(frozen=True, kw_only=True)
class Manual(Construct):
    """Which pairs are the candidates."""

    benchmark: str
    """The benchmark whose pairs are the candidates, written by people."""
    subsets: list[str] = field(default_factory=list)
    """Which of its subsets (none: all)."""


@recipe(options=Manual)
def manual(chain: RecipeChain, options: Manual) -> str:
    """Pairs that people wrote (LLMBar, A.5), or any benchmark to be filtered anew."""
    subsets = dict.fromkeys(options.subsets, "")
    return chain.add("pairs", OfOne(derive="as_given", of=options.benchmark, subsets=subsets))
