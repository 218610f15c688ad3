"""What the tests on real data share: LLMBar as the library rebuilds it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rebuilt import Rebuilt, rebuild


@pytest.fixture(scope="session")
def llmbar(llmbar_zip: Path, tmp_path_factory: pytest.TempPathFactory) -> Rebuilt:
    """Every recorded completion of LLMBar judged and read again."""
    return rebuild(llmbar_zip, tmp_path_factory.mktemp("transcripts"))
