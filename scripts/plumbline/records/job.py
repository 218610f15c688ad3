"""The frame every script runs in: log, errors, whole outputs, manifests, and nothing done twice."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plumbline.records import plugins
from plumbline.records.closure import Code
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_file, sweep_beside, unwritable
from plumbline.records.joblog import RUN, is_watched, job_log, log, of_this_run
from plumbline.records.locks import at_work, current_run
from plumbline.records.manifest import (
    PLUGINS,
    Fingerprint,
    JobFiles,
    Setting,
    digest_of_input,
    fingerprint_of,
    manifest_path,
    read_manifest,
    write_manifest,
)
from plumbline.records.parts import Parts
from plumbline.records.tally import tally_path


@dataclass
class Job:
    """What a rule gave its script, unpacked."""

    rule: str
    wildcards: Mapping[str, str]
    inputs: list[Path]
    named_inputs: Mapping[str, list[Path]]
    outputs: list[Path]
    settings: Mapping[str, Setting]
    plain: Mapping[str, Any]
    code: Code
    threads: int
    made_with: dict[str, Any] = field(default_factory=dict)
    packages: Sequence[str] = ()
    """Packages that it computes with, beside those of all jobs."""
    parts: dict[Path, Parts] = field(default_factory=dict)
    """Digests of the parts of an output, of which whoever reads it may use some."""

    def input(self, name: str) -> Path:
        return self.named_inputs[name][0]

    def setting(self, name: str) -> Any:
        return self.settings[name].value

    def value(self, name: str) -> Any:
        """A setting that the job's result may or may not rest on."""
        return self.setting(name) if name in self.settings else self.plain[name]

    def use_plugins(self) -> None:
        """Import the plugins that register what the job uses, and see those of no other job."""
        plugins.use(self.setting(PLUGINS) if PLUGINS in self.settings else [])

    def fingerprint(self) -> Fingerprint:
        used = self.plain.get("parts", {})
        digests = {path.as_posix(): digest_of_input(path, used.get(path.as_posix())) for path in self.inputs}
        parts = {path: names for path, names in used.items() if path in digests}
        return fingerprint_of(self.rule, self.wildcards, digests, self.settings, self.code, parts)

    def files(self) -> JobFiles:
        inputs = {name: [path.as_posix() for path in paths] for name, paths in self.named_inputs.items()}
        return JobFiles(inputs, [path.as_posix() for path in self.outputs])


def run(main: Callable[[Job], None], snakemake: Any) -> None:
    """Run a script's `main`; a user's mistake ends in one message, anything else in a traceback in the log.

    `snakemake` is what Snakemake gives a script; or a `Job`, of which only the work is done, for whoever compares it.
    """
    if isinstance(snakemake, Job):
        snakemake.use_plugins()
        main(snakemake)
        return
    with contextlib.ExitStack() as until_the_end:
        try:
            open_log(Path(str(snakemake.log[0])), until_the_end)
            job = unpack(snakemake)
            job.use_plugins()
            make(main, job)
        except PlumblineError as error:
            _fail(snakemake, str(error))
        except Exception as error:  # the last frame: whatever happened belongs into the log
            log.debug("%s", traceback.format_exc())
            _fail(snakemake, f"an unexpected error: {type(error).__name__}: {error}")


def make(main: Callable[[Job], None], job: Job) -> None:
    """Make the outputs and their manifests, unless they have this very fingerprint."""
    fingerprint = job.fingerprint()
    if unchanged(job.outputs, fingerprint):
        for output in job.outputs:
            os.utime(output)
        log.info("unchanged: made by the same code from the same inputs and settings; kept")
        return
    with at_work():
        for output in job.outputs:
            sweep_beside(output)
        main(job)
        for output in job.outputs:
            parts = job.parts.get(output, {})
            write_manifest(output, fingerprint, job.files(), job.settings, job.made_with, parts, job.packages)


def open_log(path: Path, until: contextlib.ExitStack) -> None:
    """A retry goes on in the log and in the tally, another run begins both anew."""
    try:
        again = of_this_run(path)
        if not again:
            for old in (path, tally_path(path)):
                old.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error
    until.enter_context(job_log(path))
    if not again:
        log.debug(RUN, current_run())


def unpack(snakemake: Any) -> Job:
    params = dict(snakemake.params.items())
    named = {name: _paths(value) for name, value in snakemake.input.items()}
    return Job(
        rule=snakemake.rule,
        wildcards={name: str(value) for name, value in snakemake.wildcards.items()},
        inputs=_paths(list(snakemake.input)),
        named_inputs=named,
        outputs=_paths(list(snakemake.output)),
        settings={name: value for name, value in params.items() if isinstance(value, Setting)},
        plain={name: value for name, value in params.items() if not isinstance(value, Setting | Code)},
        code=params["code"],
        threads=snakemake.threads,
    )


def unchanged(outputs: list[Path], fingerprint: Fingerprint) -> bool:
    """Whether all outputs are there, as their manifests say, with this very fingerprint."""
    for output in outputs:
        if not output.is_file() or not manifest_path(output).is_file():
            return False
        try:
            manifest = read_manifest(manifest_path(output))
        except PlumblineError:
            return False
        if manifest.fingerprint != fingerprint or manifest.sha256 != digest_file(output):
            return False
    return True


def _paths(value: Any) -> list[Path]:
    return [_from_here(Path(item)) for item in ([value] if isinstance(value, str) else value)]


def _from_here(path: Path) -> Path:
    """As all else names it: a file that is taken as it stands comes with its absolute path."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path


def _fail(snakemake: Any, message: str) -> None:
    log.error("%s", message)
    if not is_watched():
        print(f"\nplumbline: rule {snakemake.rule} failed (log: {snakemake.log[0]})\n{message}\n", file=sys.stderr)
    sys.exit(1)
