"""BASE-9 and BASE-10: additions worked out in two bases, of which the instruction asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from plumbline.config.construct import Construct
from plumbline.config.typed import Positive, Range
from plumbline.derive.addition import is_correct, problems, rival_of, solution
from plumbline.derive.candidates import Candidate
from plumbline.derive.material import Material
from plumbline.derive.strategy import Needs, strategy
from plumbline.records.files import canonical

TEMPLATE = "addition"


@dataclass(frozen=True, kw_only=True)
class Added(Construct):
    """Which sums."""

    size: Positive
    """How many sums are made (there are 3,924 two-digit problems whose results differ)."""
    base: Annotated[int, Range(2, 10)] = 10
    """The base asked for. The rival works in base 10; where 10 is asked for, in base 9."""
    digits: Literal[2, 3] = 2
    """Digits of each number."""


@strategy(options=Added, needs=lambda options: Needs(templates=[TEMPLATE]))
def addition(material: Material, options: Added) -> Iterator[Candidate]:
    """O1 solves the sum in the base asked for, O2 in another while claiming the same base (LLMBar, F.3)."""
    base, rival = options.base, rival_of(options.base)
    for problem in problems(base, options.digits, options.size, options.seed):
        first, second = solution(problem, base, base), solution(problem, rival, base)
        if not is_correct(first, problem, base) or is_correct(second, problem, base):
            raise AssertionError(f"the arithmetic broke its promise: {problem} in base {base}")
        name, sum_ = f"{problem.left}+{problem.right}", {"left": problem.left, "right": problem.right, "base": base}
        yield Candidate(
            id="",
            instruction=material.wording(TEMPLATE, **sum_, digits="0123456789"[:base]),
            first=first,
            second=second,
            gold="first",
            item=name,
            related="",
            similarity=None,
            first_from="computed",
            second_from="computed",
            detail=canonical({**sum_, "rival": rival}),
            origin=name,
        )
