"""The code behind a result: a script and all that it imports, transitively, of the project's and the user's modules.

Of the frame around what decides a result (`records/frame.py`) the versions count, and not the files.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plumbline.records import plugins
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_file, digest_value, write_json
from plumbline.records.frame import declared, is_frame, package_of
from plumbline.records.plugins import PACKAGE, SCRIPTS, Home

BY_NAME = {SCRIPTS / "plumbline/measuring/measure.py": SCRIPTS / "plumbline/measuring/measures"}
"""Modules that import modules of a folder by their names, and the folder."""
KNOWN: dict[str, list[str]] = {}
"""What a file of this digest imports of the project."""


@dataclass(frozen=True)
class Code:
    """What of the project's code, and of the user's, decides what a job makes."""

    files: tuple[tuple[str, str], ...]
    """Digests of files by path relative to the repository."""
    frame: tuple[tuple[str, int], ...] = ()
    """Versions of the packages of the frame that it runs in."""

    @property
    def sha256(self) -> str:
        return digest_value([self.files, self.frame])

    def __repr__(self) -> str:
        return f"Code({self.sha256[:12]}, {len(self.files)} files)"


@dataclass(frozen=True)
class Reached:
    """What some files import, transitively: files by their names in the repository, and packages of the frame."""

    files: tuple[tuple[str, Path], ...]
    frame: tuple[str, ...]


def code_of(
    script: str,
    modules: Sequence[str] = (),
    without: Sequence[str] = (),
    complete: bool = False,
    files: Sequence[Path] = (),
) -> Code:
    """The closure of `scripts/SCRIPT.py`, and of modules and plugins it imports by name only when it runs, and of other
    `files` of the user's.

    Modules and packages in `without` are left out, with what only they import. Where `modules` may not be all that is
    imported by name, any module of a folder in `BY_NAME` may be: then the whole folder counts.
    """
    left_out = frozenset(path for name in without for path in _files_of(name))
    own = [name for name in modules if plugins.is_plugin(name)]
    named = (path for name in modules for path in (plugins.files_of if name in own else module_files)(name))
    homes = (*(plugins.homes_of(own) if own else ()), *(home for file in files for home in homes_beside(file)))
    closure = reached((SCRIPTS / f"{script}.py", *named, *files), left_out, homes, complete)
    versions = versions_of_frame()
    return Code(
        tuple((name, digest_once(path)) for name, path in closure.files),
        tuple((package, versions.get(package, 0)) for package in closure.frame),
    )


def own_files(file: Path) -> list[tuple[str, Path]]:
    """A user's file and the modules of the user's that it imports, transitively, by name."""
    return [(name, path) for name, path in reached((file,), frozenset(), homes_beside(file)).files if is_own(name)]


def homes_beside(file: Path) -> tuple[Home, ...]:
    """Where a file that is run by itself finds its modules: beside it, and in the current folder."""
    return Home(file.parent), Home(Path.cwd())


@cache
def reached(
    roots: tuple[Path, ...], left_out: frozenset[Path], homes: tuple[Home, ...] = (), complete: bool = False
) -> Reached:
    """What these files import; `homes` hold the user's own."""
    paths: set[Path] = set()
    waiting = list(roots)
    while waiting:
        path = waiting.pop()
        if path not in paths and path not in left_out:
            paths.add(path)
            waiting.extend(imported(path) if is_ours(path) else own_imported(path, homes))
            waiting.extend(BY_NAME[path].glob("*.py") if path in BY_NAME and not complete else ())
    framed = {name for path in paths if (name := name_in_library(path)) and is_frame(name)}
    files = sorted((name_of(path), path) for path in paths if name_in_library(path) not in framed)
    return Reached(tuple(files), tuple(sorted(set(map(package_of, framed)))))


@cache
def versions_of_frame() -> Mapping[str, int]:
    return declared().versions


@cache
def is_ours(path: Path) -> bool:
    return path.is_relative_to(SCRIPTS)


@cache
def name_in_library(path: Path) -> str:
    """The path of a file within the library; nothing for others."""
    home = SCRIPTS / PACKAGE
    return path.relative_to(home).as_posix() if path.is_relative_to(home) else ""


@cache
def imported(path: Path) -> tuple[Path, ...]:
    """Project files that a file imports, wherever in it the import stands."""
    return tuple(dict.fromkeys(file for name in _imports(path) for file in module_files(name)))


def own_imported(path: Path, homes: tuple[Home, ...]) -> list[Path]:
    """Files of the project and of the user's that a file of the user's imports."""
    names = list(plugins.imports_of(path, homes))
    return [file for name in names for file in (*module_files(name), *plugins.module_files(name, homes))]


def name_of(path: Path) -> str:
    """A file of the repository by its path in there, one of the user's by that from the current folder."""
    library = name_in_library(path)
    if library:
        return f"{SCRIPTS.name}/{PACKAGE}/{library}"
    return str(path.relative_to(SCRIPTS.parent)) if is_ours(path) else plugins.shown(path)


def is_own(name: str) -> bool:
    """Whether a file of a closure, by its name in there, is a user's own."""
    return not name.startswith(f"{SCRIPTS.name}/")


def _imports(path: Path) -> list[str]:
    """The project's modules that a file names in its imports: read from it once for each content it has had."""
    digest = digest_once(path)
    if digest not in KNOWN:
        KNOWN[digest] = list(dict.fromkeys(parsed_imports(path)))
    return KNOWN[digest]


def parsed_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
        yield from (name for name in _names(node) if name.partition(".")[0] == PACKAGE)


def recall_imports(kept: Path) -> None:
    """Take from a file what was read from sources before: to parse them all takes a third of a second."""
    with suppress(OSError, ValueError, AttributeError):
        for digest, names in json.loads(kept.read_bytes()).items():
            KNOWN[digest] = [str(name) for name in names]


def keep_imports(kept: Path) -> None:
    """Read all of the project's sources, and write down what is not in the file yet."""
    before = set(KNOWN)
    now = {digest_once(path): _imports(path) for path in sorted(SCRIPTS.rglob("*.py"))}
    if not now.keys() <= before or not kept.is_file():
        with suppress(PlumblineError):  # only a cache
            write_json(kept, now)


@cache
def digest_once(path: Path) -> str:
    return digest_file(path)


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files_of(name: str) -> Sequence[Path]:
    """The file of a module, or all files of a package."""
    folder = SCRIPTS.joinpath(*name.split("."))
    return sorted(folder.rglob("*.py")) if folder.is_dir() else module_files(name)[-1:]


def module_files(name: str) -> tuple[Path, ...]:
    """The file of a project module and the `__init__` files above it; nothing for other packages."""
    return files_below(SCRIPTS, name) if name.partition(".")[0] == PACKAGE else ()


@cache
def files_below(home: Path, name: str) -> tuple[Path, ...]:
    parts = name.split(".")
    packages = [home.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts) + 1)]
    return tuple(path for path in [*packages, home.joinpath(*parts).with_suffix(".py")] if path.is_file())
