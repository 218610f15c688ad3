"""The first phase of a run: what asks nobody is made before Snakemake plans, so that it plans no job in vain.

An edited loader or a corrected label makes files anew that judges rest on. Mostly these come out as they were, but
Snakemake decides before they are made, and would queue a job for each GPU only to find that nothing is to be done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from plumbline.audit.doubts import Doubts, behind, made_first
from plumbline.records.manifest import Manifest
from plumbline.workflow.running.command_line import CommandLine
from plumbline.workflow.running.nested import jobs_in, run_nested
from plumbline.workflow.running.plan import PlannedJob, RunPlan


def first_phase(look: Callable[[], Doubts], setting_digest: Callable[[str], str | None]) -> bool:
    """Make first what asks nobody, level after level: where answers still stand, what rests on them comes next.

    `look` marks what is stale. Returned is whether anything was made.
    """
    doubts, before = look(), list[str]()
    if not candidates(doubts, setting_digest) or (command := CommandLine.here()) is None or not command.runs_all:
        return False
    while files := asked_for(candidates(doubts, setting_digest), command.files, doubts):
        if files == before:
            break
        whole = make(files, command.options, reasons(doubts, files))
        doubts, before = look(), files  # also where one failed: Snakemake puts back what it was to replace, as if new
        if not whole:
            break
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
    """Let another Snakemake make the files on this machine; False where one fails, or it would have to ask somebody.

    What fails there fails again in the run itself, which says so and goes on with all else.
    """
    print(f"First what asks nobody: {len(files)} files on which answers rest", *why, sep="\n", file=sys.stderr)
    code, output = run_nested(files, options)
    print(*jobs_in(output), sep="\n", file=sys.stderr)
    return code == 0
