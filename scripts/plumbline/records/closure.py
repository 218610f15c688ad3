"""The code behind a result: a script and all that it imports, transitively, of the project's and the user's modules."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plumbline.records import plugins
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_file, digest_value, write_json
from plumbline.records.plugins import PACKAGE, SCRIPTS, Home

WHOLE_FOLDERS = {SCRIPTS / "plumbline/measuring/measure.py": SCRIPTS / "plumbline/measuring/measures"}
"""Modules that import all modules of a folder by their names."""
KNOWN: dict[str, list[str]] = {}
"""What a file of this digest imports of the project."""


@dataclass(frozen=True)
class Code:
    """Digests of the files a job's work depends on, by path relative to the repository."""

    files: tuple[tuple[str, str], ...]

    @property
    def sha256(self) -> str:
        return digest_value(self.files)

    def __repr__(self) -> str:
        return f"Code({self.sha256[:12]}, {len(self.files)} files)"


def code_of(script: str, modules: Sequence[str] = (), without: Sequence[str] = ()) -> Code:
    """The closure of `scripts/SCRIPT.py`, and of modules and plugins it imports by name only when it runs.

    Modules and packages in `without` are left out, with what only they import.
    """
    left_out = frozenset(path for name in without for path in _files_of(name))
    own = [name for name in modules if plugins.is_plugin(name)]
    files = (path for name in modules for path in (plugins.files_of if name in own else module_files)(name))
    homes = plugins.homes_of(own) if own else ()
    found = reached((SCRIPTS / f"{script}.py", *files), left_out, homes)
    return Code(tuple((name, digest_once(path)) for name, path in found))


@cache
def reached(roots: tuple[Path, ...], left_out: frozenset[Path], homes: tuple[Home, ...] = ()) -> list[tuple[str, Path]]:
    """The files that these import, transitively, under their names in the repository; `homes` hold the user's own."""
    found: set[Path] = set()
    waiting = list(roots)
    while waiting:
        path = waiting.pop()
        if path not in found and path not in left_out:
            found.add(path)
            waiting.extend(imported(path) if path.is_relative_to(SCRIPTS) else own_imported(path, homes))
    return sorted((name_of(path), path) for path in found)


@cache
def imported(path: Path) -> tuple[Path, ...]:
    """Project files that a file imports, wherever in it the import stands."""
    files = [file for name in _imports(path) for file in module_files(name)]
    if path in WHOLE_FOLDERS:
        files += sorted(WHOLE_FOLDERS[path].glob("*.py"))
    return tuple(dict.fromkeys(files))


def own_imported(path: Path, homes: tuple[Home, ...]) -> list[Path]:
    """Files of the project and of the user's that a file of the user's imports."""
    names = list(plugins.imports_of(path, homes))
    return [file for name in names for file in (*module_files(name), *plugins.module_files(name, homes))]


def name_of(path: Path) -> str:
    """A file of the repository by its path in there, one of the user's by that from the current folder."""
    return str(path.relative_to(SCRIPTS.parent)) if path.is_relative_to(SCRIPTS) else plugins.shown(path)


def is_own(name: str) -> bool:
    """Whether a file of a closure, by its name in there, is a user's own."""
    return Path(name).parts[0] != SCRIPTS.name


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


def _files_of(name: str) -> list[Path]:
    """The file of a module, or all files of a package."""
    folder = SCRIPTS.joinpath(*name.split("."))
    return sorted(folder.rglob("*.py")) if folder.is_dir() else module_files(name)[-1:]


def module_files(name: str) -> list[Path]:
    """The file of a project module and the `__init__` files above it; nothing for other packages."""
    parts = name.split(".")
    if parts[0] != PACKAGE:
        return []
    packages = [SCRIPTS.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts) + 1)]
    module = SCRIPTS.joinpath(*parts).with_suffix(".py")
    return [path for path in [*packages, module] if path.is_file()]
