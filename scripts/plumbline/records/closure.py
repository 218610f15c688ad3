"""The code behind a result: a script and every project module it imports, transitively."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plumbline.records.files import digest_file, digest_value

PACKAGE = "plumbline"
SCRIPTS = Path(__file__).resolve().parents[2]


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
    """The closure of `scripts/SCRIPT.py`, and of modules it imports by name only when it runs.

    Modules and packages in `without` are left out, with what only they import.
    """
    left_out = frozenset(path for name in without for path in _files_of(name))
    roots = (SCRIPTS / f"{script}.py", *(path for name in modules for path in module_files(name)))
    return Code(tuple((name, digest_once(path)) for name, path in reached(roots, left_out)))


@cache
def reached(roots: tuple[Path, ...], left_out: frozenset[Path]) -> list[tuple[str, Path]]:
    """The files that these import, transitively, under their names in the repository."""
    found: set[Path] = set()
    waiting = list(roots)
    while waiting:
        path = waiting.pop()
        if path not in found and path not in left_out:
            found.add(path)
            waiting.extend(imported(path))
    return sorted((str(path.relative_to(SCRIPTS.parent)), path) for path in found)


@cache
def imported(path: Path) -> tuple[Path, ...]:
    """Project files that a file imports, wherever in it the import stands."""
    tree = ast.parse(path.read_bytes(), str(path))
    names = [name for node in ast.walk(tree) for name in _names(node)]
    return tuple(file for name in names for file in module_files(name))


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
