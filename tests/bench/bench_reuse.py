"""How long a judge job takes whose every answer is stored: `python tests/bench/bench_reuse.py [PAIRS]`, 5 asks each."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cluster.project import Project

TRANSCRIPT = "results/ask/small/alpha/1-of-1.parquet"
LIMIT = 20.0


def judged(project: Project) -> tuple[float, str]:
    """Seconds of the whole run, and how much it asked and reused by its own words."""
    start = time.perf_counter()
    run = project.run(os.environ, "--cores", "1", TRANSCRIPT)
    code = run.wait()
    taken = time.perf_counter() - start
    answers = re.search(r"^plumbline: .*; (\d+ asked, \d+ reused)$", project.output, re.MULTILINE)
    if code or not answers:
        raise SystemExit(project.output)
    return taken, answers[1]


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as folder:
        project = Project.make(Path(folder) / "project", pairs)
        first, asked = judged(project)
        print(f"asked and stored     {first:8.1f} s   {asked}")
        (project.folder / TRANSCRIPT).unlink()
        second, reused = judged(project)
        verdict = "yes" if second < LIMIT else "NO"
        print(f"all of it reused     {second:8.1f} s   {reused}   under {LIMIT:g} s: {verdict}")


if __name__ == "__main__":
    main()
