"""An installed package holds all that the library reads beside its modules."""

from __future__ import annotations

import tomllib
from pathlib import PurePosixPath

from plumbline.records.plugins import PACKAGE, SCRIPTS


def test_every_file_of_the_library_that_is_no_module_is_packed() -> None:
    project = tomllib.loads((SCRIPTS.parent / "pyproject.toml").read_text())
    patterns = project["tool"]["setuptools"]["package-data"][PACKAGE]
    home = SCRIPTS / PACKAGE
    files = [path for path in home.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    data = [PurePosixPath(path.relative_to(home)) for path in files if path.suffix not in (".py", ".pyc")]
    assert data and [str(name) for name in data if not any(name.match(pattern) for pattern in patterns)] == []
