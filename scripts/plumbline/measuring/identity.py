"""Identities: what must hold between the numbers that a paper prints, checked without data and without a model.

An identity reads printed numbers of the transcribed tables (config/table/PAPER/) and gives checks: what is printed in
one place, and what follows for it from other places. `measuring/identities/PAPER.py` holds those of a paper.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.measuring.cells import rounding
from plumbline.measuring.printed import Printed
from plumbline.records.rows import read_records, write_records

IDENTITIES = "identities"
"""Name of the table of a paper's identities."""
PACKAGE = "plumbline.measuring.identities"
FOLDER = Path(__file__).with_name("identities")


@dataclass(frozen=True, slots=True)
class Check:
    """One printed number or word, held against what follows for it."""

    identity: str
    """The title of the identity."""
    place: str
    """Where it is printed, e.g. `table1, Composite GPT4, Brn`."""
    printed: float | None
    derived: float | None
    printed_word: str
    """What is printed, where that is a word."""
    derived_word: str
    digits: int
    """Printed precision."""
    slack: float
    """How far the derived number may be off because what it follows from is rounded itself."""
    holds: bool
    tried: str
    """Where it does not hold: what was tried."""


@dataclass(frozen=True)
class Finding:
    """What an identity says of one place; `Check` adds whether it holds."""

    place: str
    printed: float | str
    derived: float | str
    digits: int = 0
    slack: float = 0.0
    tried: str = ""

    @property
    def holds(self) -> bool:
        if isinstance(self.printed, str) or isinstance(self.derived, str):
            return self.printed == self.derived
        return abs(self.printed - self.derived) <= rounding(self.digits) + self.slack


Findings = Callable[[Printed], Iterable[Finding]]


@dataclass(frozen=True)
class Identity:
    """What must hold in a paper, and what finds out whether it does."""

    title: str
    findings: Findings

    def checks(self, printed: Printed) -> Iterator[Check]:
        for finding in self.findings(printed):
            yield _check(self.title, finding)


REGISTERED: dict[str, list[Identity]] = {}


def identity(paper: str, title: str) -> Callable[[Findings], Findings]:
    """Register an identity of a paper; its docstring says where the paper states it."""

    def register(findings: Findings) -> Findings:
        known = REGISTERED.setdefault(paper, [])
        if any(each.title == title for each in known):
            raise ValueError(f"two identities of {paper} are called {title!r}")
        known.append(Identity(title, findings))
        return findings

    return register


def has_identities(paper: str) -> bool:
    """Whether somebody wrote identities for a paper."""
    return paper != "__init__" and (FOLDER / f"{paper}.py").is_file()


def module_of(paper: str) -> str:
    """The module that holds a paper's identities."""
    return f"{PACKAGE}.{paper}"


def checks(paper: str, printed: Printed) -> list[Check]:
    """All checks of a paper, identity by identity in the order of their definition."""
    importlib.import_module(module_of(paper))
    return [check for each in REGISTERED[paper] for check in each.checks(printed)]


def write_checks(path: Path, checks: Sequence[Check]) -> None:
    write_records(path, Check, checks)


def read_checks(path: Path) -> list[Check]:
    return read_records(path, Check)


def _check(title: str, finding: Finding) -> Check:
    printed, derived = finding.printed, finding.derived
    return Check(
        identity=title,
        place=finding.place,
        printed=None if isinstance(printed, str) else float(printed),
        derived=None if isinstance(derived, str) else float(derived),
        printed_word=printed if isinstance(printed, str) else "",
        derived_word=derived if isinstance(derived, str) else "",
        digits=finding.digits,
        slack=finding.slack,
        holds=finding.holds,
        tried="" if finding.holds else finding.tried,
    )
