"""What a judge says that each output of an instance is worth: how many questions it passes, or a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plumbline.data.verdicts import Reading, Verdict, shown
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.checked import ChecklistOptions, ChecklistVerdicts, about_one, sheet
from plumbline.measuring.measures.answers import number_of
from plumbline.measuring.options import SystemOptions


@dataclass(frozen=True)
class WorthOptions(SystemOptions):
    """Of measures of what single outputs are worth to a judge."""

    question: str = ""
    """Which number the judge says of each output; empty: it answers the questions of a checklist."""


class Worth(NamedTuple):
    """Questions answered yes, of how many; or a number, of one."""

    part: float
    whole: float = 1.0

    @property
    def rate(self) -> float:
        return self.part / self.whole


@dataclass(frozen=True)
class Valuer:
    """A judge, and what of what it says counts."""

    judge: Judge
    question: str
    sample: int = 0

    def worths(self, case: Case, systems: tuple[str, ...], reading: Reading) -> dict[int, Worth]:
        """By output; one of which nothing is said that counts is left out."""
        pairs = self._numbers(case, systems, reading) if self.question else self._passed(case, systems, reading)
        return dict(pairs)

    def said(self, case: Case, systems: tuple[str, ...]) -> Iterator[Verdict]:
        """All that it said of single outputs, as far as it counts."""
        for verdict in case.verdicts.get(self.judge, ()):
            asked = verdict.question == self.question if self.question else not verdict.derived_from
            if asked and verdict.sample == self.sample and about_one(case.instance, verdict, systems):
                yield verdict

    def _numbers(self, case: Case, systems: tuple[str, ...], reading: Reading) -> Iterator[tuple[int, Worth]]:
        for verdict in self.said(case, systems):
            if (number := number_of(verdict, reading)) is not None:
                yield output_of(verdict), Worth(number)

    def _passed(self, case: Case, systems: tuple[str, ...], reading: Reading) -> Iterator[tuple[int, Worth]]:
        answered = ChecklistVerdicts.of(case, self.judge, self.sample, ChecklistOptions(systems=systems))
        for output, verdicts in answered.outputs.items():
            passed, of = sheet(answered.checklist, verdicts, 0).passed(reading)
            if of:
                yield output, Worth(float(passed), float(of))


def output_of(verdict: Verdict) -> int:
    (output,) = shown(verdict.showing)
    return output
