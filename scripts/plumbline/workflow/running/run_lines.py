"""What a terminal shows of a run: a short line for each job that ends, and one line on those that run now."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plumbline.models.progress import spoken
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import of_this_run
from plumbline.records.tally import read_attempts, read_left, tally_path
from plumbline.workflow.running.plan import total_of
from plumbline.workflow.running.summary import UNCHANGED, read, reason_in

SHOWN_RUNNING = 3


@dataclass
class RunningJob:
    """A job that was started and has not ended."""

    rule: str
    name: str
    """Its wildcards, as in the summary."""
    log: Path | None
    """None where it makes nothing: a named target."""
    started: float

    @property
    def title(self) -> str:
        return f"{self.rule} {self.name}".rstrip()

    def own_log(self) -> str:
        """What it wrote in this run; a log of an earlier one is not its own."""
        return read(self.log) if self.log and of_this_run(self.log) else ""

    def counts(self) -> str:
        """What it asked and reused, and about how much is left; nothing for a job that asks nobody."""
        if self.log is None or not of_this_run(self.log):
            return ""
        file = tally_path(self.log)
        try:
            attempts, left = read_attempts(file), read_left(file)
        except PlumblineError:
            return ""  # the summary at the end of the run names a tally that cannot be read
        asked, reused = sum(a.asked for a in attempts), sum(a.reused for a in attempts)
        if not asked + reused:
            return ""
        return f"{asked:,} asked, {reused:,} reused" + (f", about {left:,} left" if left else "")

    def so_far(self) -> str:
        return "; ".join(filter(None, [spoken(time.monotonic() - self.started), self.counts()]))


@dataclass
class RunView:
    """Turns Snakemake's log events into lines. Snakemake's own log file keeps all of them as they were."""

    total: int = 0
    done: int = 0
    running: dict[int, RunningJob] = field(default_factory=dict)

    def lines(self, name: str, event: Mapping[str, Any]) -> list[str]:
        """What is printed for good when this event comes."""
        handlers = {
            "run_info": self._run_info,
            "job_info": self._job_info,
            "job_finished": self._job_finished,
            "job_error": self._job_error,
        }
        return handlers[name](event) if name in handlers else []

    def moving(self) -> str:
        """The line that changes while jobs run; empty while none does."""
        if not self.running:
            return ""
        jobs = list(self.running.values())
        shown = [f"{job.title} ({job.so_far()})" for job in jobs[:SHOWN_RUNNING]]
        more = f" and {len(jobs) - SHOWN_RUNNING} more" if len(jobs) > SHOWN_RUNNING else ""
        return f"{self.done} of {self.total} jobs done; running: {', '.join(shown)}{more}"

    def _run_info(self, event: Mapping[str, Any]) -> list[str]:
        stats = event.get("stats") or {}
        self.total = stats.get("total") or sum(stats.values())
        return [total_of(stats)]

    def _job_info(self, event: Mapping[str, Any]) -> list[str]:
        wildcards = event.get("wildcards") or {}
        logs = event.get("log") or []
        self.running[event["jobid"]] = RunningJob(
            event["rule_name"],
            "/".join(map(str, wildcards.values())),
            Path(logs[0]) if logs else None,
            time.monotonic(),
        )
        return []

    def _job_finished(self, event: Mapping[str, Any]) -> list[str]:
        job = self.running.pop(event["job_id"], None)
        if job is None:
            return []
        self.done += 1
        if job.log is None:
            return []
        state = "kept" if UNCHANGED in job.own_log() else "made"
        return [self._ended(job, state, job.so_far())]

    def _job_error(self, event: Mapping[str, Any]) -> list[str]:
        job = self.running.pop(event["jobid"], None)
        if job is None:
            return []
        reason = reason_in(job.own_log()).partition("\n")[0] or "the summary says why"
        return [self._ended(job, "FAILED", f"{job.so_far()}; {reason}")]

    def _ended(self, job: RunningJob, state: str, words: str) -> str:
        width = len(str(self.total))
        return f"[{self.done:{width}}/{self.total}] {state:6} {job.title}: {words}"
