"""The rehearsal of all papers in this repository's own folder, and one of some tables with people's words permuted."""

from __future__ import annotations

import pytest
from rehearsing import PERMUTED, REPOSITORY, Rehearsal, run


@pytest.fixture(scope="session")
def planted() -> Rehearsal:
    return run(REPOSITORY)


@pytest.fixture(scope="session")
def permuted(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    folder = tmp_path_factory.mktemp("permuted")
    return run(folder, *(f"results/tables/{table}.csv" for table in PERMUTED), hydra="experiment.rehearsal=permuted")
