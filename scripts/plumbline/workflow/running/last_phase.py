"""The last phase of a run in which jobs failed: tables are built all the same, without the cells that rest on these.

Snakemake makes no table of whose inputs one is missing. So the run is composed once more, with what it could not make:
cells that rest on that wait and say what failed, and all others become numbers. What was made before, and could not be
made again, stays as it is, with all that rests on it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plumbline.audit.asking_rules import TRANSCRIBING
from plumbline.workflow.composing.machine import Machine
from plumbline.workflow.running.command_line import CommandLine
from plumbline.workflow.running.nested import jobs_in, run_nested


@dataclass(frozen=True)
class Failures:
    """What a run could not make."""

    undone: Mapping[str, str]
    """Its files that are not there or not as they should be, and what failed below each."""
    kept: tuple[str, ...]
    """Files of failed jobs that are there from an earlier run."""

    @classmethod
    def of(cls, workflow: Any, reasons: Mapping[str, str]) -> Failures | None:
        """From Snakemake's workflow and its failed jobs' reasons by title; none where it was stopped before its end."""
        dag = workflow.dag
        undone: dict[str, str] = {}
        for job in sorted(workflow.scheduler.failed, key=str):
            for above in dag.bfs(dag.depending, job):
                undone |= {str(path): reasons[title_of(job)] for path in above.output if str(path) not in undone}
        waiting = [job for job in dag.jobs if job.output and dag.needrun(job) and not dag.finished(job)]
        if not undone or not all(str(path) in undone for job in waiting for path in job.output):
            return None
        failed = (job for job in workflow.scheduler.failed if job.rule.name not in TRANSCRIBING)
        kept = sorted(str(path) for job in failed for path in job.output if Path(str(path)).exists())
        return cls(undone, tuple(kept))


def title_of(job: Any) -> str:
    """What a job of Snakemake's is called in the summary."""
    return f"{job.rule.name} {'/'.join(str(value) for _, value in job.wildcards.items())}".rstrip()


def last_phase(failures: Failures, machine: Machine, records: Path) -> None:
    """Make what the targets of this run do not lack; `records` tells the other run what there is to go on with."""
    command = CommandLine.here()
    if command is None or not command.runs_all:
        return
    try:
        replace(machine, undone=failures.undone).keep(records)
        omitted = ["--omit-from", *failures.kept] if failures.kept else []
        _, output = run_nested(command.targets, [*command.options, *omitted])
    finally:
        machine.keep(records)
    report(jobs_in(output))


def report(lines: Iterable[str]) -> None:
    if shown := list(lines):
        print("Then what does not rest on what failed", *shown, "", sep="\n", file=sys.stderr)
