"""The script that measures on a GPU runs whole without one, so that it still does where there is one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from project import REPOSITORY, TIMEOUT, environment


def test_it_measures_a_tiny_model_on_the_cpu(tmp_path: Path) -> None:
    command = [sys.executable, "tests/gpu/measure.py", "--tiny", "--pairs", "6", "--out", str(tmp_path)]
    run = subprocess.run(
        command,
        cwd=REPOSITORY,
        env=environment() | {"PYTHONPATH": str(REPOSITORY / "scripts"), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    assert run.returncode == 0, run.stderr
    report = (tmp_path / "measured.md").read_text()
    for title in ("Setup", "Scores", "Throughput", "Prefix cache", "Flips between batch sizes"):
        assert f"### {title}" in report
