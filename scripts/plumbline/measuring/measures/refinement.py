"""Measures of texts that were rewritten round by round (TICK, section 4.1): each round is a system's output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from plumbline.data.instances import Instance
from plumbline.data.texts import State
from plumbline.data.verdicts import READINGS, Reading
from plumbline.measuring.cases import Case
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import ratio
from plumbline.measuring.measures.worths import Valuer, Worth, WorthOptions
from plumbline.measuring.options import SystemOptions
from plumbline.measuring.units import Observation, observer
from plumbline.records.errors import PlumblineError

KEPT: State = "kept"


@dataclass(frozen=True)
class BesideOptions(SystemOptions):
    """Of measures of one system's output beside another's about the same instance."""

    than: str = ""
    """The other system, e.g. the round before."""


@dataclass(frozen=True)
class ComparedOptions(WorthOptions, BesideOptions):
    """Of measures of what both are worth to a judge."""


def two_systems(systems: tuple[str, ...], than: str) -> tuple[str, str]:
    if len(systems) != 1 or not than:
        raise PlumblineError(
            "two outputs are compared, and it is not said whose",
            found=f"systems: [{', '.join(systems)}], than: {than or '(nothing)'}",
            expected="one system in `systems`, another in `than`",
        )
    return systems[0], than


class Change(NamedTuple):
    """What one system's output is worth beside another's, in each reading; nothing where one of them has no worth."""

    published: tuple[Worth, Worth] | None
    strict: tuple[Worth, Worth] | None
    missing: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    close: int = 0

    def of(self, reading: Reading) -> tuple[Worth, Worth] | None:
        return self.published if reading == READINGS[0] else self.strict

    def describe(self, reading: Reading) -> str:
        both = self.of(reading)
        return " | ".join(f"{one.rate:g}" for one in both) if both else "-"


@observer(options=ComparedOptions, describes="worth | that of the other system")
def change(case: Case, seen: Observation[ComparedOptions]) -> Change | None:
    both = two_systems(seen.options.systems, seen.options.than)
    judge = Valuer(seen.judge, seen.options.question, seen.sample)
    said = list(judge.said(case, both))
    if not said:
        return None

    def worths(reading: Reading) -> tuple[Worth, Worth] | None:
        by_system = {
            case.instance.outputs[output].system: worth for output, worth in judge.worths(case, both, reading).items()
        }
        return (by_system[both[0]], by_system[both[1]]) if by_system.keys() >= set(both) else None

    missing = tuple(verdict.strict.missing for verdict in said if verdict.strict.missing)
    return Change(worths("as_published"), worths("strict"), missing, close=sum(verdict.close for verdict in said))


@ratio("worse", "Worse", change, unit=PERCENT, better="lower", missing="wrong", undefined="without both outputs")
def worse(unit: Change, reading: Reading) -> tuple[float, float] | None:
    """The share of instances of which the judge finds a system's output worse than another's."""
    both = unit.of(reading)
    return (float(both[0].rate < both[1].rate), 1.0) if both else None


class Rewriting(NamedTuple):
    """Whether a round has another text than the one before it, and whether a rewrite was of no use."""

    changed: bool
    kept: bool
    missing: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    close: int = 0

    def describe(self, reading: Reading) -> str:
        return (
            "rewritten"
            if self.changed
            else "the text before it, as a rewrite was of no use"
            if self.kept
            else "stopped"
        )


@observer(options=BesideOptions, describes="what became of the text in the round")
def rewriting(case: Case, seen: Observation[BesideOptions]) -> Rewriting | None:
    systems = two_systems(seen.options.systems, seen.options.than)
    texts = [text_of(case.instance, system) for system in systems]
    if None in texts:
        return None
    return Rewriting(texts[0] != texts[1], case.instance.flawed.get(systems[0]) == KEPT)


def text_of(instance: Instance, system: str) -> str | None:
    return next((output.text for output in instance.outputs if output.system == system), None)


@ratio("stopped", "Stopped", rewriting, unit=PERCENT, better="neither", judged=False)
def stopped(unit: Rewriting, reading: Reading) -> tuple[float, float]:
    """The share of instances that a round leaves as they are: their writer found nothing left to mend, or wrote the
    same again."""
    return float(not unit.changed and not unit.kept), 1.0


@ratio("kept", "Of no use", rewriting, unit=PERCENT, better="lower", judged=False)
def kept(unit: Rewriting, reading: Reading) -> tuple[float, float]:
    """The share of instances that have the text of an earlier round, as a rewrite was of no use: without its marker,
    empty, refused or too long; or as there was no checklist to go by."""
    return float(unit.kept), 1.0
