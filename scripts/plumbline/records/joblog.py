"""A job's log, which goes on whatever a library does to Python's logging.

A library that sets up logging may close the handlers there are, detach them, or silence loggers: vLLM does the first
whenever its engine starts. Plumbline's own logger is therefore one that Python's list of loggers does not hold.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path

from plumbline.records.files import unwritable
from plumbline.records.locks import current_run

log = logging.Manager(logging.root).getLogger("plumbline")
log.setLevel(logging.DEBUG)
OURS = "%(asctime)s %(levelname)s %(message)s"
OF_LIBRARIES = "%(asctime)s %(name)s %(levelname)s %(message)s"
RUN = "run %s"
"""The first record of a log: a retry goes on in it, another run begins it anew."""
WATCHED = "PLUMBLINE_WATCHED"
"""Set where snakemake_logger_plugin_plumbline shows what all jobs do: a job then prints nothing itself."""
LEVEL = logging.WARNING
"""What libraries say below it would bury what the job says."""


@contextlib.contextmanager
def job_log(path: Path) -> Iterator[None]:
    """Write what is logged to the job's own file: Plumbline's records in full, of libraries what matters."""
    with contextlib.ExitStack() as handlers:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            for logger, form, level in ((log, OURS, logging.DEBUG), (logging.root, OF_LIBRARIES, LEVEL)):
                handlers.enter_context(_writing(path, logger, form, level))
        except OSError as error:
            raise unwritable(path, error) from error
        log.propagate = False
        handlers.callback(setattr, log, "propagate", True)
        yield


def is_watched() -> bool:
    """Whether the terminal belongs to Snakemake's logger."""
    return WATCHED in os.environ


def of_this_run(path: Path) -> bool:
    """Whether a log was begun in the run that has the folder now. Its time tells nothing: Snakemake touches logs."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            first = file.readline()
    except (FileNotFoundError, NotADirectoryError):
        return False
    run = current_run()
    return bool(run) and first.rstrip("\n").endswith(f" {RUN % run}")


def current() -> Path | None:
    """The log of the job that this process works on."""
    files = (handler for handler in log.handlers if isinstance(handler, logging.FileHandler))
    return next((Path(handler.baseFilename) for handler in files), None)


@contextlib.contextmanager
def _writing(path: Path, logger: logging.Logger, form: str, level: int) -> Iterator[None]:
    """A handler that appends opens its file again after it was closed; one that writes from the start does not."""
    handler = logging.FileHandler(path, "a", encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter(form))
    handler.setLevel(level)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()
