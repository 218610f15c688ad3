"""SLURM jobs that outlive a killed run and still write."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from plumbline.records.errors import PlumblineError

LOGS = Path(".snakemake/slurm_logs")
"""Made by Snakemake before it submits anything, and removed once all that was submitted has ended well."""
SECONDS = 60
SHOWN = 10


@dataclass(frozen=True)
class Submitted:
    """A waiting or running job."""

    number: str
    state: str
    task: str
    """Rule and wildcards, which Snakemake gives SLURM as the job's comment."""


def refuse_while_jobs_run(folder: Path) -> None:
    """A job submitted from this folder that still runs would be a second writer of what this run makes."""
    if not (folder / LOGS).is_dir() or not shutil.which("squeue"):
        return
    jobs = submitted_from(folder)
    if not jobs:
        return
    lines = [f"{job.number} ({job.state.lower()}): {job.task}" for job in jobs[:SHOWN]]
    more = [f"and {len(jobs) - SHOWN} more"] if len(jobs) > SHOWN else []
    numbers = " ".join(job.number for job in jobs)
    raise PlumblineError(
        "SLURM jobs of an earlier run in this folder are not over yet",
        where=str(folder),
        found="\n            ".join(lines + more),
        do="wait until they end and run the same command again: what they finish is kept;\n"
        f"            or stop them first: scancel {numbers}",
    )


def submitted_from(folder: Path) -> list[Submitted]:
    """The waiting and running jobs that Snakemake submitted from a folder."""
    table = squeue("--noheader", "--format=%i|%T|%k|%Z")
    rows = [line.split("|") for line in table.splitlines()]
    return [
        Submitted(row[0], row[1], "|".join(row[2:-1]).removeprefix("rule_").replace("_wildcards_", " ", 1))
        for row in rows
        if row[2].startswith("rule_") and Path(row[-1]).resolve() == folder.resolve()
    ]


def squeue(*options: str) -> str:
    """What the cluster says; whoever cannot be asked must not be taken for idle."""
    try:
        done = subprocess.run(["squeue", *options], capture_output=True, text=True, timeout=SECONDS)
        problem = done.stderr.strip() if done.returncode else ""
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    if problem:
        raise PlumblineError(
            "cannot tell whether SLURM jobs of an earlier run in this folder are over",
            where=" ".join(["squeue", *options]),
            found=problem.splitlines()[-1],
            do=f"run it again once squeue answers; if you are sure that none runs, remove {LOGS}",
        )
    return done.stdout
