"""What vLLM and its processes say, in the log of the job that they work for."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plumbline.records import joblog
from plumbline.records.files import write_json

FILE, LEVEL = "VLLM_LOGGING_CONFIG_PATH", "VLLM_LOGGING_LEVEL"
"""vLLM's own settings, which win where they are set: a logging set-up of the user's, and from which level on."""


@contextlib.contextmanager
def in_the_jobs_log() -> Iterator[None]:
    """While vLLM's processes start, each reads this set-up. Outside a job only errors reach the terminal."""
    path = joblog.current()
    if path is None or FILE in os.environ:
        with _unless_set(LEVEL, logging.getLevelName(logging.ERROR)):
            yield
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "logging.json"
        write_json(file, set_up(path, os.environ.get(LEVEL, logging.getLevelName(joblog.LEVEL))))
        with _unless_set(FILE, str(file)):
            yield


@contextlib.contextmanager
def _unless_set(name: str, value: str) -> Iterator[None]:
    """A variable of the environment, which later processes do not inherit."""
    if name in os.environ:
        yield
        return
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]


def set_up(path: Path, level: str) -> dict[str, Any]:
    """A configuration for `logging.config.dictConfig`."""
    handler = {"class": "logging.FileHandler", "filename": str(path), "mode": "a", "formatter": "job"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"job": {"format": joblog.OF_LIBRARIES}},
        "handlers": {"job": handler | {"encoding": "utf-8", "errors": "backslashreplace"}},
        "loggers": {"vllm": {"handlers": ["job"], "level": level.upper(), "propagate": False}},
    }
