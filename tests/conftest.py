"""What all tests share: the repository, its composed configuration, and the copies of the sources."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import rebuilt
from plumbline.data.source import fetch
from plumbline.workflow.resolved import Resolved
from rebuilt import CONFIG

REPOSITORY = Path(__file__).resolve().parents[1]
LONGEST = ("test_demo", "test_dag", "test_construct", "test_verify")
"""Begun first, so that no process goes on long after the others."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `-n` and `--dist loadgroup` what several tests look at is built once, by the process that runs them all."""
    if not config.getoption("loadgroup", False):
        return
    for item in items:
        on_llmbar = "llmbar_zip" in getattr(item, "fixturenames", ())
        item.add_marker(pytest.mark.xdist_group("llmbar" if on_llmbar else item.path.stem))
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder with copies of the sources; only tests that need it are skipped where there is none."""
    named = os.environ.get("PLUMBLINE_MIRROR")
    folder = REPOSITORY / (named or "../shared/data")
    if named and not folder.is_dir():
        pytest.fail(f"PLUMBLINE_MIRROR names no folder: {folder}")
    if not folder.is_dir():
        pytest.skip(f"no copy of the sources at {folder}: set PLUMBLINE_MIRROR to a folder that holds them")
    return folder


@pytest.fixture(scope="session")
def papers() -> Resolved:
    """The configuration of the experiment `papers`."""
    return rebuilt.resolved()


@pytest.fixture(scope="session")
def llmbar_zip(mirror: Path, papers: Resolved, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """LLMBar's source as the workflow keeps it, from the mirror."""
    out = tmp_path_factory.mktemp("source") / "llmbar.zip"
    fetch("llmbar", papers.config.source["llmbar"], CONFIG / "source" / "llmbar.sha256", str(mirror), out.parent, out)
    return out
