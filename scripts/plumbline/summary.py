"""What a run did, told at its end: made, kept, asked, reused, and what failed and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from plumbline.progress import counts_in

UNCHANGED = "INFO unchanged:"
ERROR = " ERROR "
WARNING = re.compile(r"^[\d-]+ [\d:,]+ WARNING (.*)$", re.MULTILINE)
BLOCK = re.compile(r"^Error in rule \S+:\n((?: {4}.*\n?)+)", re.MULTILINE)
"""A failed attempt in Snakemake's own log."""
CLUSTER_SAID = (
    re.compile(r"SLURM status is: '(\w+)'"),
    re.compile(r"due to a node failure, SLURM status is:\s+'(\w+)'"),
    re.compile(r"The error message was '(?:sbatch: error: )?(.*?)'\.?$", re.MULTILINE),
)
ADVICE = {
    "TIMEOUT": "it ran out of time: give the model more `runtime` in config/model/",
    "OUT_OF_MEMORY": "it ran out of memory: give the model more `mem_mb` in config/model/",
    "CANCELLED": "somebody cancelled it: run the same command again",
    "NODE_FAIL": "its node failed: run the same command again",
}
SHOWN = 10
State = Literal["made", "kept", "failed", "not done"]


@dataclass(frozen=True)
class Step:
    """One job of this run."""

    rule: str
    name: str
    state: State
    log: Path | None
    asked: int = 0
    reused: int = 0
    said: Sequence[str] = ()
    """What the cluster said of its failed attempts, in order."""


def print_summary(workflow: Any, run_logs: Sequence[str]) -> None:
    """At the end of a run, good or bad; `workflow` is Snakemake's."""
    said = said_by_cluster("\n".join(read(Path(path)) for path in run_logs))
    steps = steps_of(workflow, said)
    standing = sum(1 for job in workflow.dag.jobs if job.output and not workflow.dag.needrun(job))
    print("\n" + told(steps, standing) + "\n", flush=True)


def steps_of(workflow: Any, said: dict[str, list[str]]) -> list[Step]:
    """The jobs that this run had to do, in the order of the pipeline."""
    order = {rule.name: number for number, rule in enumerate(workflow.rules)}
    jobs = [job for job in workflow.dag.jobs if job.output and workflow.dag.needrun(job)]
    found = [step_of(job, workflow, said) for job in jobs]
    return sorted(found, key=lambda step: (order[step.rule], step.name))


def step_of(job: Any, workflow: Any, said: dict[str, list[str]]) -> Step:
    log = Path(str(job.log[0])) if job.log else None
    name = "/".join(str(value) for _, value in job.wildcards.items())
    attempts = said.get(str(log), [])
    if not workflow.dag.finished(job) and job not in workflow.scheduler.failed:
        return Step(job.rule.name, name, "not done", log, said=attempts)
    text = read(log)
    state: State = "failed" if not workflow.dag.finished(job) else "kept" if UNCHANGED in text else "made"
    return Step(job.rule.name, name, state, log, *counts_in(text), attempts)


def said_by_cluster(text: str) -> dict[str, list[str]]:
    """Why attempts failed, by the job's log: SLURM's words where Snakemake's log has them."""
    said: dict[str, list[str]] = {}
    for block in BLOCK.findall(text):
        log = re.search(r"^ {4}log: ([^\s,]+)", block, re.MULTILINE)
        words = next((found[1] for pattern in CLUSTER_SAID if (found := pattern.search(block))), "")
        if log and words:
            said.setdefault(log[1], []).append(words)
    return said


def told(steps: Sequence[Step], standing: int) -> str:
    """The summary as text."""
    count = Counter(step.state for step in steps)
    asked, reused = sum(step.asked for step in steps), sum(step.reused for step in steps)
    head = f"plumbline: {count['made']} made, {count['kept'] + standing} kept unchanged"
    head += "".join(f", {count[state]} {state}" for state in ("failed", "not done") if count[state])
    lines = [f"{head}; {asked} asked, {reused} reused"]
    for rule in dict.fromkeys(step.rule for step in steps):
        lines.append(told_of_rule(rule, [step for step in steps if step.rule == rule]))
    for step in steps:
        if step.state == "failed":
            lines += told_of_failure(step)
    lines += told_of_warnings(steps)
    undone = [f"{step.rule} {step.name}".strip() for step in steps if step.state == "not done"]
    if undone:
        lines.append(f"  not done: {shortened(undone)}")
    if count["failed"] or undone:
        lines.append("  To go on, run the same command again: what was made stays, and no answer is asked for twice.")
    return "\n".join(lines)


def told_of_rule(rule: str, steps: Sequence[Step]) -> str:
    states = Counter(step.state for step in steps)
    parts = [f"{number} {state}" for state, number in states.items()]
    if asked := [step for step in steps if step.asked or step.reused]:
        parts.append(f"{sum(s.asked for s in asked)} asked, {sum(s.reused for s in asked)} reused")
    if again := [step for step in steps if step.said and step.state != "failed"]:
        said = sorted({words for step in again for words in step.said})
        parts.append(f"{len(again)} after a retry ({shortened(said)})")
    return f"  {rule:10} {'; '.join(parts)}"


def told_of_failure(step: Step) -> list[str]:
    """What failed, the reason in its own log or else the cluster's, and where to read on."""
    tries = f" ({', '.join(step.said)})" if step.said else ""
    lines = [f"  failed: {step.rule} {step.name}".rstrip() + tries]
    reason = reason_in(read(step.log))
    if not reason and step.said:
        reason = ADVICE.get(step.said[-1], "")
    lines += [f"    {line}" for line in (reason or "it ended without a word").splitlines()]
    return [*lines, f"    log: {step.log}"] if step.log and step.log.exists() else lines


def told_of_warnings(steps: Sequence[Step]) -> list[str]:
    """What jobs warned of, each thing once, and where it stands."""
    warned: dict[str, list[Step]] = {}
    for step in steps:
        for words in dict.fromkeys(WARNING.findall(read(step.log))):
            warned.setdefault(words, []).append(step)
    lines = []
    for words, by in list(warned.items())[:SHOWN]:
        others = f" and {len(by) - 1} more" if len(by) > 1 else ""
        lines += [f"  warned: {words}", f"    {f'{by[0].rule} {by[0].name}'.rstrip()}{others}, log: {by[0].log}"]
    return lines + ([f"  and {len(warned) - SHOWN} more warnings, see the logs"] if len(warned) > SHOWN else [])


def reason_in(log: str) -> str:
    """The error that a job wrote as its last words."""
    _, found, last = log.rpartition(ERROR)
    return last.strip() if found else ""


def shortened(words: Sequence[str]) -> str:
    more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more


def read(path: Path | None) -> str:
    try:
        return path.read_text(errors="replace") if path else ""
    except OSError:
        return ""
