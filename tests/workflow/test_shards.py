"""A benchmark may be split into as many shards as one likes: what comes out is the same."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from cluster.project import Project, digest
from plumbline.asking.transcripts import TranscriptRow
from plumbline.records.rows import read_records

PAIRS = 11
SECONDS = 120
BENCHMARK = 'source: small\nloader: rows\nsubsets: {all: ""}\nshards: '


def judged(project: Project, shards: int) -> tuple[dict[str, str], list[Any]]:
    """Digests of what is made of answers, all of it made anew, and the calls that were made, in order."""
    results = project.folder / "results"
    for kind in ("ask", "verdicts", "cells", "tables"):
        shutil.rmtree(results / kind, ignore_errors=True)
    project.write("benchmark/small.yaml", f"{BENCHMARK}{shards}\n")
    assert project.run(os.environ, "--cores", "2").wait(SECONDS) == 0, project.output
    names = [f"results/ask/small/alpha/{number}-of-{shards}.parquet" for number in range(1, shards + 1)]
    assert sorted(names) == sorted(
        str(path.relative_to(project.folder)) for path in results.glob(f"ask/small/alpha/*-of-{shards}.parquet")
    )
    made = sorted(path for kind in ("verdicts", "cells", "tables") for path in (results / kind).rglob("*.*"))
    files = [path for path in made if path.suffix in (".parquet", ".md", ".tex", ".csv")]
    calls = [call for name in names for call in read_records(project.folder / name, TranscriptRow)]
    return {str(path.relative_to(results)): digest(path) for path in files}, calls


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project.make(tmp_path_factory.mktemp("shards") / "project", PAIRS)


def test_the_number_of_shards_shows_in_no_byte(project: Project) -> None:
    whole, calls = judged(project, 1)
    assert {Path(name).parts[0] for name in whole} == {"verdicts", "cells", "tables"}
    asked = len(project.asks())
    assert judged(project, 4) == (whole, calls)
    assert len(project.asks()) == asked
    shutil.rmtree(project.folder / ".store")
    assert judged(project, PAIRS + 2) == (whole, calls)  # two of them are empty
    assert len(project.asks()) == 2 * asked
