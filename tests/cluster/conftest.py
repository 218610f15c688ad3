"""One cluster for all tests here, and one run on it that nobody disturbs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cluster.project import Project
from cluster.slurm import Cluster, Node

PAIRS = 50
NODES = (Node("cpu1", 16000), Node("gpu1", 32000, gpus=2), Node("gpu2", 32000, gpus=2))


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster(NODES)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="session")
def undisturbed(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """`snakemake --profile slurm`, literally so, from the root of a copy."""
    project = Project.make(tmp_path_factory.mktemp("undisturbed") / "project", PAIRS)
    assert project.run(cluster.environment, "--profile", "slurm").wait(120) == 0, project.output
    return project
