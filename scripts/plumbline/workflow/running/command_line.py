"""How the user called Snakemake: while the Snakefile is read, `workflow` does not know the targets yet."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LOOKS_ONLY = (
    *("dryrun", "touch", "lint", "list_rules", "list_target_rules", "print_compilation"),
    *("dag", "rulegraph", "filegraph", "d3dag", "summary", "detailed_summary"),
    *("list_changes", "list_input_changes", "list_params_changes", "list_untracked"),
    *("unlock", "cleanup_metadata", "cleanup_shadow", "delete_all_output", "delete_temp_output", "archive"),
    *("list_conda_envs", "conda_cleanup_envs", "conda_create_envs_only", "container_cleanup_images", "containerize"),
    *("generate_unit_tests", "report"),
)
"""Options with which Snakemake runs no job."""
NARROWING = ("until", "omit_from", "batch", "allowed_rules", "target_jobs")
"""Options with which it runs only some of those that the targets need."""
EXECUTORS = ("--profile", "--executor", "-e")
"""Options that may send jobs to a cluster."""
HERE = ("", "local", "dryrun", "touch")
"""Executors that run jobs where the user typed, or nowhere."""


@dataclass(frozen=True)
class CommandLine:
    """What of it tells what to make, and with what."""

    runs_all: bool
    """Whether the run makes all that its targets need."""
    targets: Sequence[str]
    """What is asked for: files, or rules by their names."""
    options: Sequence[str]
    """What another Snakemake has to be told to make files on this machine in the same way."""
    submits: bool
    """Whether its jobs go to a cluster."""

    @property
    def files(self) -> Sequence[str]:
        """The files that are asked for; none where a rule is asked for by name, or nothing."""
        return self.targets if all("/" in target for target in self.targets) else []

    @classmethod
    def here(cls) -> CommandLine | None:
        """Of this process; None where it is not Snakemake's own command, but a program that uses it."""
        program = Path(sys.argv[0])
        if "snakemake" not in (program.stem, program.parent.name):
            return None
        from snakemake.cli import parse_args  # only where there is something to do: it takes a tenth of a second

        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            return cls.of(parse_args(sys.argv[1:])[1])

    @classmethod
    def of(cls, given: Namespace) -> CommandLine:
        options = [option for option in (*LOOKS_ONLY, *NARROWING) if getattr(given, option, None)]
        return cls(not options, list(given.targets), passed_on(given), str(given.executor or "") not in HERE)


def submits() -> bool:
    """Whether jobs go to a cluster. Most commands name none, and are not read any further."""
    named = os.environ.get("SNAKEMAKE_PROFILE") or any(word.startswith(EXECUTORS) for word in sys.argv[1:])
    command = CommandLine.here() if named else None
    return command is not None and command.submits


def passed_on(given: Namespace) -> list[str]:
    """Options that another Snakemake takes over; of a cluster's profile it takes nothing."""
    cores = given.cores or given.local_cores or 1
    words = ["--cores", str(cores), "--executor", "local"]
    if given.snakefile:
        words += ["--snakefile", str(given.snakefile)]
    if given.workflow_profile:
        words += ["--workflow-profile", str(given.workflow_profile)]
    if methods := sorted(str(method) for method in given.software_deployment_method or ()):
        words += ["--software-deployment-method", *methods]
    if given.conda_prefix:
        words += ["--conda-prefix", str(given.conda_prefix)]
    if given.config:
        words += ["--config", *map(str, given.config)]
    return words
