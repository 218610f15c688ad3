"""What all tests share: where the repository and the copies of the sources are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder with copies of the sources; only tests that need it are skipped where there is none."""
    folder = Path(os.environ.get("PLUMBLINE_MIRROR") or "../shared/data")
    folder = folder if folder.is_absolute() else REPOSITORY / folder
    if not folder.is_dir():
        pytest.skip(f"no copy of the sources at {folder}: set PLUMBLINE_MIRROR to a folder that holds them")
    return folder
