"""The frame: the modules that read, ask, store, write and report around the code that decides what a job makes.

An edit of the frame makes nothing stale by itself. It has a version, a number for each package, which is part of what
every job's result rests on. Whoever edits one of its files says with `plumbline frame`, which keeps it in
`frame.json`, whether results come out otherwise: then the package has a new version, and all that rests on it is made
again. Else a reason why the change is harmless. A test fails, and every run warns, while an edit is neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_file, read_json, write_json
from plumbline.records.plugins import PACKAGE, SCRIPTS

FILE = SCRIPTS / PACKAGE / "frame.json"
FRAME: Mapping[str, tuple[str, ...]] = {
    "asking": (
        *("ask", "instance_ask", "job", "judge", "parser", "program", "protocols", "placeholder", "python_strings"),
        *("replay", "runs", "settings", "setup", "steps", "transcripts", "unworded_ask", "wording", "yaml_strings"),
    ),
    "config": (),
    "data": (
        *("gaps", "instances", "labelled", "labels", "ledger", "loaded", "loader", "loader_guard", "loading", "rated"),
        *("recorded", "texts", "vectors", "verdicts"),
    ),
    "derive": ("derivation", "derived_judge", "deriving", "files", "given", "needs", "recipe", "results"),
    "measuring": ("cases", "cells", "checks", "failing"),
    "models": (
        *("asking", "cached", "concurrency", "context", "failures", "kinds", "lookup", "progress", "segments"),
        *("session", "store"),
    ),
    "records": (),
    "sources": (),
}
"""The modules of the frame by their package; none named: all of it. The `__init__` files of these packages and of
those in them, which only say what a package is for, belong to it too."""
GONE = ""
"""The digest of a file that is no longer there."""


@dataclass(frozen=True)
class Harmless:
    """A change of files of the frame by which no result comes out otherwise."""

    files: list[str]
    why: str


@dataclass(frozen=True)
class DeclaredFrame:
    """What is declared of the frame: the versions of its packages, and its files as they were when that was said."""

    versions: dict[str, int]
    """By package."""
    digests: dict[str, str]
    """By path in the library."""
    harmless: list[Harmless]
    """The changes since the version of their package, in order."""

    def undeclared(self, present: Mapping[str, str]) -> list[str]:
        """The files that have changed since, come or gone."""
        names = sorted(self.digests.keys() | present.keys())
        return [name for name in names if self.digests.get(name, GONE) != present.get(name, GONE)]

    def with_harmless(self, present: Mapping[str, str], why: str) -> DeclaredFrame:
        return replace(self, digests=dict(present), harmless=[*self.harmless, Harmless(self.undeclared(present), why)])

    def with_new_versions(self, present: Mapping[str, str]) -> DeclaredFrame:
        """A new version of each package that has changed; what was harmless since its last one is forgotten."""
        raised = set(map(package_of, self.undeclared(present)))
        versions = self.versions | {package: self.versions.get(package, 0) + 1 for package in raised}
        kept = [
            replace(one, files=[name for name in one.files if package_of(name) not in raised]) for one in self.harmless
        ]
        return DeclaredFrame(versions, dict(present), [one for one in kept if one.files])


@cache
def is_frame(name: str) -> bool:
    """Whether a file of the library, by its path in there, belongs to the frame."""
    package, *module = Path(name).with_suffix("").parts
    if package not in FRAME:
        return False
    return not FRAME[package] or module[-1:] == ["__init__"] or ".".join(module) in FRAME[package]


def package_of(name: str) -> str:
    """The package that a file of the frame is in, by its path in the library."""
    return Path(name).parts[0]


def files() -> dict[str, str]:
    """Digests of the files of the frame as they are now."""
    home = SCRIPTS / PACKAGE
    names = sorted(path.relative_to(home).as_posix() for path in home.rglob("*.py"))
    return {name: digest_file(home / name) for name in names if is_frame(name)}


def declared() -> DeclaredFrame:
    """What is committed beside the library."""
    data = read_json(FILE)
    try:
        return DeclaredFrame(data["versions"], data["digests"], [Harmless(**one) for one in data["harmless"]])
    except (TypeError, KeyError) as error:
        raise PlumblineError(f"the declaration of the frame cannot be read ({error})", where=str(FILE)) from error


def declare(now: DeclaredFrame) -> None:
    write_json(FILE, asdict(now))
