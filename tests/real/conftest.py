"""What the tests on real data share: LLMBar as the library rebuilds it."""

from __future__ import annotations

from pathlib import Path

import pytest
from plumbline.config import Resolved
from plumbline.measure import Bootstrap, Computing, Counts, Evidence
from plumbline.parquet import Row
from rebuilt import Rebuilt, rebuild


@pytest.fixture(scope="session")
def llmbar(llmbar_zip: Path, tmp_path_factory: pytest.TempPathFactory) -> Rebuilt:
    """Every recorded completion of LLMBar judged and read again."""
    return rebuild(llmbar_zip, tmp_path_factory.mktemp("transcripts"))


@pytest.fixture(scope="session")
def evidence(llmbar: Rebuilt) -> Evidence:
    """What LLMBar's tables are computed from."""
    return Evidence(llmbar.pairs, {key: Counts.of(rows) for key, rows in llmbar.verdicts.items()})


@pytest.fixture(scope="session")
def cells(evidence: Evidence, papers: Resolved) -> dict[str, list[Row]]:
    """The cells of every LLMBar table and figure, with the intervals users get."""
    bootstrap = Bootstrap(**papers.plain["bootstrap"])
    tables = {name: papers.table("llmbar", name) for name in papers.config.table["llmbar"]}
    return {name: Computing(table, bootstrap, evidence).rows() for name, table in tables.items()}
