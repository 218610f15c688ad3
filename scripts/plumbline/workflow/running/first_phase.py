"""The first phase of a run: what asks nobody is made before Snakemake plans, so that it plans no job in vain.

An edited loader or a corrected label makes files anew that judges rest on. Mostly these come out as they were, but
Snakemake decides before they are made, and would queue a job for each GPU only to find that nothing is to be done.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile

from plumbline.audit.doubts import Doubts, behind, made_first
from plumbline.records.joblog import WATCHED
from plumbline.records.manifest import Manifest
from plumbline.workflow.running.command_line import CommandLine
from plumbline.workflow.running.plan import PlannedJob, RunPlan

NESTED = "PLUMBLINE_FIRST_PHASE"
"""Set in a run that another one started for its first phase: the folder is that other's, and its records too."""
HEAD = "plumbline: "
"""How a summary begins."""
SILENT = ("--quiet", "all", "--logger-plumbline-plain")
"""Of such a run only what its jobs print of themselves is of use: errors and warnings."""
WOULD_ASK = 75
"""How such a run ends before its first job, if it would have to ask somebody."""


def is_nested() -> bool:
    return NESTED in os.environ


def first_phase(look: Callable[[], Doubts], setting_digest: Callable[[str], str | None]) -> bool:
    """Make first what asks nobody, level after level: where answers still stand, what rests on them comes next.

    `look` marks what is stale. Returned is whether anything was made.
    """
    doubts, before = look(), list[str]()
    if not candidates(doubts, setting_digest) or (command := CommandLine.here()) is None or not command.runs_all:
        return False
    while files := asked_for(candidates(doubts, setting_digest), command.files, doubts):
        if files == before or not make(files, command.options, reasons(doubts, files)):
            break
        doubts, before = look(), files
    return bool(before)


def candidates(doubts: Doubts, setting_digest: Callable[[str], str | None]) -> list[str]:
    """The files that are worth to be made first, as far as they are this experiment's."""
    if not doubts.stale:
        return []
    return made_first(doubts, lambda path: is_of(doubts.links[path], setting_digest))


def is_of(link: Manifest, setting_digest: Callable[[str], str | None]) -> bool:
    """Whether this experiment has all settings that a file was made with: else the file is another's."""
    return all(setting_digest(setting["key"]) is not None for setting in link.fingerprint.settings.values())


def asked_for(files: Sequence[str], targets: Sequence[str], doubts: Doubts) -> list[str]:
    """Those of the files that the targets rest on; all where a target is not there yet, or is a rule's name."""
    if not targets or not all(target in doubts.links for target in targets):
        return list(files)
    needed = behind(doubts.links, targets) | set(targets)
    return [path for path in files if path in needed]


def reasons(doubts: Doubts, files: Iterable[str]) -> list[str]:
    """Why these files are made, in words."""
    jobs = [PlannedJob.of_manifest(doubts.links[path]) for path in files]
    return RunPlan(jobs, doubts.stale, doubts.links).lines()


def make(files: Sequence[str], options: Sequence[str], why: Sequence[str]) -> bool:
    """Let another Snakemake make the files on this machine; False where it would have to ask somebody."""
    print(f"First what asks nobody: {len(files)} files on which answers rest", *why, sep="\n", file=sys.stderr)
    command = [sys.executable, "-m", "snakemake", *options, *SILENT, "--", *files]
    dropped = ("SNAKEMAKE_PROFILE", WATCHED)
    environment = {name: value for name, value in os.environ.items() if name not in dropped} | {NESTED: "1"}
    code, output = ended(command, environment)
    if code not in (0, WOULD_ASK):
        print(output, file=sys.stderr)
        sys.exit("Nobody has been asked yet. Fix what is reported above, and run the same command again.")
    print("\n".join(jobs_in(output)), file=sys.stderr)
    return code == 0


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
