"""`make setup` takes a Python that the packages are tested with, and refuses others in one line."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from rebuilt import CONFIG

ROOT = CONFIG.parent
FAKE = """#!/bin/sh
[ "$1" = --version ] && echo "Python {major}.{minor}.9" && exit
exec {real} -c 'import sys; sys.version_info = ({major}, {minor}, 9); exec(sys.argv[1])' "$2"
"""


class Machine:
    """A path and pyenv's folder; each Python in them reports the version that it was added with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "bin").mkdir()
        for tool in ("/bin/sh", "/usr/bin/head"):
            (folder / "bin" / Path(tool).name).symlink_to(tool)

    def add(self, place: str, version: str) -> str:
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        major, minor = version.split(".")
        path.write_text(FAKE.format(real=sys.executable, major=major, minor=minor))
        path.chmod(0o755)
        return str(path)

    def find(self, *options: str, python: str = "") -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.folder / "bin"), "HOME": str(self.folder), "PYTHON": python}
        return subprocess.run([ROOT / "envs/find-python", *options], env=environment, capture_output=True, text=True)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_python3_is_taken_where_it_fits(machine: Machine) -> None:
    machine.add("bin/python3", "3.12")
    machine.add("bin/python3.13", "3.13")
    assert machine.find().stdout == "python3\n"
    assert machine.find("--newest").stdout == "python3.13\n"


@pytest.mark.parametrize("outside", ["3.10", "3.14", "2.7"])
def test_beside_a_python3_that_does_not_fit_another_is_taken(machine: Machine, outside: str) -> None:
    machine.add("bin/python3", outside)
    machine.add("bin/python3.11", "3.11")
    assert machine.find().stdout == "python3.11\n"


def test_pyenvs_versions_count_though_none_is_chosen(machine: Machine) -> None:
    machine.add("bin/python3", "3.9")
    there = machine.add(".pyenv/versions/3.12.4/bin/python3", "3.12")
    assert machine.find().stdout == f"{there}\n"


def test_the_one_that_is_named_is_taken_or_refused(machine: Machine) -> None:
    machine.add("bin/python3", "3.12")
    mine = machine.add("mine/python", "3.11")
    assert machine.find(python=mine).stdout == f"{mine}\n"
    machine.add("mine/python", "3.10")
    refused = machine.find(python=mine)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.count("\n") == 1 and f"{mine} is: Python 3.10.9" in refused.stderr


def test_where_none_fits_one_line_names_what_is_there_and_what_to_do(machine: Machine) -> None:
    machine.add("bin/python3", "3.14")
    refused = machine.find()
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "python3 is: Python 3.14.9" in refused.stderr and "PYTHON=" in refused.stderr


def test_readme_and_package_name_the_range_that_is_looked_for() -> None:
    first, last = re.search(r"\((3, \d+)\) <= sys.*<= \((3, \d+)\)", (ROOT / "envs/find-python").read_text()).groups()
    low, high = (int(version.split(", ")[1]) for version in (first, last))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">=3.{low},<3.{high + 1}"
    versions = [f"3.{minor}" for minor in range(low, high + 1)]
    assert f"Python {', '.join(versions[:-1])} or {versions[-1]}" in (ROOT / "README.md").read_text()
