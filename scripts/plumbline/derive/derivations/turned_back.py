"""The pairs of a negation set under their plain instruction."""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.config.benchmark import OfOne
from plumbline.data.instances import Instance
from plumbline.derive.derivation import Result, derivation
from plumbline.derive.given import Given
from plumbline.derive.needs import Needs
from plumbline.derive.review import EXCHANGED
from plumbline.derive.sides import CandidatePair, Side

PLAIN = "plain"


@dataclass(frozen=True, kw_only=True)
class TurnedBack(OfOne):
    """Where the plain instructions are."""

    plain: str
    """The benchmark that the negated instructions were made of."""


@derivation(options=TurnedBack, needs=lambda options: Needs(others={PLAIN: options.plain}), labels=True)
def turned_back(instance: Instance, given: Given, options: TurnedBack) -> Result:
    """The negation set's pairs under their plain instruction, with the label turned (LLMBar, F.2)."""
    first, second = (Side(output.text, f"pair {instance.id}", output.system) for output in instance.outputs)
    plain = given.others[PLAIN].instruction
    better = EXCHANGED[given.gold]  # type: ignore[index]
    return CandidatePair(first, second, better, plain, instance.instruction).of(instance)
