"""What the README tells people to type."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from project import REPOSITORY, TIMEOUT, Project

COMMANDS = re.findall(r"^snakemake .*?(?= {2,}#|$)", (REPOSITORY / "README.md").read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readme") / "plumbline"
    return Project.at(folder).folder


def test_there_are_commands_to_try() -> None:
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_has_something_to_do(checkout: Path, command: str) -> None:
    shutil.rmtree(checkout / "results", ignore_errors=True)
    words = [sys.executable, "-m", *shlex.split(command), "--dry-run", "--quiet", "rules"]
    done = subprocess.run(words, cwd=checkout, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^plumbline: [1-9]\d* jobs to do: ", done.stdout, re.MULTILINE)
