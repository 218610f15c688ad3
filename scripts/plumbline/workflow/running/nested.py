"""Another Snakemake that a run starts in its own folder, before its jobs or after them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import takewhile

from plumbline.records.joblog import WATCHED

NESTED = "PLUMBLINE_NESTED"
"""Set in a run that another one started: the folder is that other's, and its records too."""
HEAD = "plumbline: "
"""How a summary begins."""
SILENT = ("--quiet", "all", "--logger-plumbline-plain")
"""Of such a run only what its jobs print of themselves is of use: errors and warnings."""
WOULD_ASK = 75
"""How such a run ends before its first job, if it would have to ask somebody."""


def is_nested() -> bool:
    return NESTED in os.environ


def run_nested(targets: Sequence[str], options: Sequence[str]) -> tuple[int, str]:
    """Let another Snakemake make some targets on this machine, asking nobody; how it ended and what it said."""
    command = [sys.executable, "-m", "snakemake", *options, *SILENT, "--", *targets]
    dropped = ("SNAKEMAKE_PROFILE", WATCHED)
    environment = {name: value for name, value in os.environ.items() if name not in dropped} | {NESTED: "1"}
    return ended(command, environment)


def jobs_in(output: str) -> list[str]:
    """What that run tells of its jobs and their warnings, below its first line: no other summary counts these jobs."""
    lines = output.splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith(HEAD)), len(lines))
    return list(takewhile(lambda line: line.startswith("  "), lines[start + 1 :]))


def ended(command: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str]:
    """How a command ended and what it said; who stops this run stops that one too, and its jobs with it."""
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as run:
        try:
            output, _ = run.communicate()
        except BaseException:
            run.send_signal(signal.SIGINT)
            raise
    lines = output.splitlines(keepends=True)
    return run.returncode, "".join(line for line in lines if not line.startswith("Using workflow specific profile"))
