"""What the unit tests share: the composed configuration, and LLMBar as the library rebuilds it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import rebuilt
from plumbline.config import Resolved
from plumbline.source import fetch
from rebuilt import CONFIG, Rebuilt, rebuild
from tiny_results import Checkout, build, set_up


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


@pytest.fixture(scope="session")
def llmbar(llmbar_zip: Path, tmp_path_factory: pytest.TempPathFactory) -> Rebuilt:
    """Every recorded completion of LLMBar judged and read again."""
    return rebuild(llmbar_zip, tmp_path_factory.mktemp("transcripts"))


@pytest.fixture(scope="session")
def tiny_checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """The tiny experiment, built once: for copying only."""
    folder = tmp_path_factory.mktemp("tiny") / "checkout"
    folder.mkdir()
    set_up(folder)
    return Checkout(folder, build(folder))


@pytest.fixture
def checkout(tiny_checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """A copy of the tiny experiment's checkout, which is also the current folder."""
    folder = tmp_path / "checkout"
    shutil.copytree(tiny_checkout.folder, folder, symlinks=True)
    monkeypatch.chdir(folder)
    return Checkout(folder, tiny_checkout.flow)
