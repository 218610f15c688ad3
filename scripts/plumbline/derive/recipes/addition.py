"""BASE-9 and BASE-10: additions worked out in two bases, of which the instruction asks for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from plumbline.config.construct import Construct
from plumbline.config.typed import Positive, Range
from plumbline.derive.chain import RecipeChain
from plumbline.derive.derivations.added import Added
from plumbline.derive.recipe import recipe


@dataclass(frozen=True, kw_only=True)
class Sums(Construct):
    """Which sums."""

    size: Positive
    """How many sums are made (there are 3,924 two-digit problems whose results differ)."""
    base: Annotated[int, Range(2, 10)] = 10
    """The base asked for. The rival works in base 10; where 10 is asked for, in base 9."""
    digits: Literal[2, 3] = 2
    """Digits of each number."""


@recipe(options=Sums)
def addition(chain: RecipeChain, options: Sums) -> str:
    """O1 solves the sum in the base asked for, O2 in another while claiming the same base (LLMBar, F.3)."""
    sums = Added(
        derive="added",
        size=options.size,
        base=options.base,
        digits=options.digits,
        seed=options.seed,
        prompts=options.prompts,
    )
    return chain.add("pairs", sums)
