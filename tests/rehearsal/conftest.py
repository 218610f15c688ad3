"""The rehearsal of all papers in this repository's own folder, with the report on TICK; some tables permuted."""

from __future__ import annotations

import pytest
from rehearsing import PERMUTED, REPOSITORY, Rehearsal, run


@pytest.fixture(scope="session")
def planted() -> Rehearsal:
    return run(REPOSITORY, "numbers", "tick")


@pytest.fixture(scope="session")
def permuted(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    folder = tmp_path_factory.mktemp("permuted")
    return run(folder, *(f"results/tables/{table}.csv" for table in PERMUTED), hydra="experiment.rehearsal=permuted")
