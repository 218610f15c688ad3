"""Peak memory of each script over a benchmark and one ten times as long: `python tests/bench/bench_memory.py [PAIRS]`.

Whole jobs, as a workflow runs them: a file of pairs taken in, five asks a pair, answered at once, verdicts and cells.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cluster.project import Project

SHOWN = ("source", "instances", "ask", "replay", "cells")
SCRIPT = re.compile(r"/\.snakemake/scripts/tmp\w*\.(\w+)\.py$")


class Watching(threading.Thread):
    """Notes the greatest memory of each of a project's scripts while they run."""

    def __init__(self, project: Project) -> None:
        super().__init__(daemon=True)
        self.project, self.over = project, threading.Event()
        self.peaks: dict[str, float] = {}

    def run(self) -> None:
        while not self.over.wait(0.05):
            for process in Path("/proc").glob("[0-9]*"):
                self.note(process)

    def note(self, process: Path) -> None:
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            status = (process / "status").read_text()
        except OSError:  # it has just ended
            return
        script = SCRIPT.search(words[1]) if len(words) > 1 and words[1].startswith(str(self.project.folder)) else None
        peak = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
        if script and peak:
            self.peaks[script[1]] = max(self.peaks.get(script[1], 0.0), int(peak[1]) / 1024)


def peaks_over(pairs: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        project = Project.make(Path(folder) / "project", pairs)
        watching = Watching(project)
        watching.start()
        if project.run(os.environ, "--cores", "1").wait():
            raise SystemExit(project.output)
        watching.over.set()
        watching.join()
        return watching.peaks


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
    start = time.perf_counter()
    few, many = peaks_over(pairs), peaks_over(10 * pairs)
    print(f"{'MB at its peak':20}{pairs:>10,}{10 * pairs:>10,}{'ratio':>8}   ({time.perf_counter() - start:.0f} s)")
    for script in SHOWN:
        print(f"{script:20}{few[script]:10.0f}{many[script]:10.0f}{many[script] / few[script]:8.2f}")


if __name__ == "__main__":
    main()
