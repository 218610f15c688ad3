"""What the workflow tests share: a copy of the project in which everything tiny is built."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import Project


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Built once, for reading and copying only."""
    project = Project.at(tmp_path_factory.mktemp("whole") / "plumbline")
    project.build("all")
    return project


@pytest.fixture
def built(whole: Project, tmp_path: Path) -> Project:
    """The whole project in a folder of this test's own."""
    return whole.twin(tmp_path / "plumbline")


@pytest.fixture
def fresh(tmp_path: Path) -> Project:
    """A copy of the project in which nothing is built."""
    return Project.at(tmp_path / "plumbline")
