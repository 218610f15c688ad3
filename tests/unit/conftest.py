"""What the unit tests share: a small checkout with everything built."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import settings
from tiny_results import Checkout, build, set_up

settings.register_profile("plumbline", deadline=None)  # a busy machine is no failure
settings.load_profile("plumbline")


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
