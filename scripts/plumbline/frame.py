"""The frame every script runs in: log, errors, whole outputs, manifests, and nothing done twice."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plumbline.closure import Code
from plumbline.errors import PlumblineError
from plumbline.files import digest_file, sweep_beside, unwritable
from plumbline.locks import at_work, began
from plumbline.manifest import JobFiles, Recipe, Setting, manifest_path, read_manifest, recipe_of, write_manifest

log = logging.getLogger("plumbline")


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

    def input(self, name: str) -> Path:
        return self.named_inputs[name][0]

    def setting(self, name: str) -> Any:
        return self.settings[name].value

    def recipe(self) -> Recipe:
        digests = {path.as_posix(): digest_file(path) for path in self.inputs}
        return recipe_of(self.rule, self.wildcards, digests, self.settings, self.code)

    def files(self) -> JobFiles:
        inputs = {name: [path.as_posix() for path in paths] for name, paths in self.named_inputs.items()}
        return JobFiles(inputs, [path.as_posix() for path in self.outputs])


def run(main: Callable[[Job], None], snakemake: Any) -> None:
    """Run a script's `main`; a user's mistake ends in one message, anything else in a traceback in the log.

    `snakemake` is what Snakemake gives a script; or a `Job`, of which only the work is done, for whoever compares it.
    """
    if isinstance(snakemake, Job):
        main(snakemake)
        return
    try:
        _open_log(snakemake.log)
        job = unpack(snakemake)
        recipe = job.recipe()
        if unchanged(job.outputs, recipe):
            for output in job.outputs:
                os.utime(output)
            log.info("unchanged: made by the same code from the same inputs and settings; kept")
            return
        with at_work():
            for output in job.outputs:
                sweep_beside(output)
            main(job)
            for output in job.outputs:
                write_manifest(output, recipe, job.files(), job.settings, job.made_with)
    except PlumblineError as error:
        _fail(snakemake, str(error))
    except Exception as error:  # the last frame: whatever happened belongs into the log
        log.debug("%s", traceback.format_exc())
        _fail(snakemake, f"an unexpected error: {type(error).__name__}: {error}")


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


def unchanged(outputs: list[Path], recipe: Recipe) -> bool:
    """Whether all outputs are there, as their manifests say, made by this very recipe."""
    for output in outputs:
        if not output.is_file() or not manifest_path(output).is_file():
            return False
        try:
            manifest = read_manifest(manifest_path(output))
        except PlumblineError:
            return False
        if manifest.recipe != recipe or manifest.sha256 != digest_file(output):
            return False
    return True


def _paths(value: Any) -> list[Path]:
    return [Path(value)] if isinstance(value, str) else [Path(item) for item in value]


def _open_log(paths: Any) -> None:
    logging.basicConfig(level=logging.DEBUG, handlers=[logging.NullHandler()], force=True)
    for path in map(Path, map(str, paths)):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            again = path.exists() and path.stat().st_mtime > began()  # a retry: what the first attempt said stays
            handler = logging.FileHandler(path, "a" if again else "w", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise unwritable(path, error) from error
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        logging.getLogger().addHandler(handler)
    for noisy in ("matplotlib", "asyncio", "urllib3", "filelock"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def _fail(snakemake: Any, message: str) -> None:
    log.error("%s", message)
    where = f" (log: {snakemake.log[0]})" if snakemake.log else ""
    print(f"\nplumbline: rule {snakemake.rule} failed{where}\n{message}\n", file=sys.stderr)
    sys.exit(1)
