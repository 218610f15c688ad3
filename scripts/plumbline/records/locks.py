"""Two writers never work in one folder: a run takes its turn, and each job shows that it is at work.

The kernel lets go of a lock when its process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from plumbline.records.errors import PlumblineError

STATE = Path(".snakemake/plumbline")


def take_turn(state: Path = STATE) -> IO[str]:
    """Take the folder for this run until the returned file is closed; refuse while others are at work in it."""
    turn = _open(state / "lock")
    if not _lock(turn, fcntl.LOCK_EX):
        raise PlumblineError(
            "another run is at work in this folder",
            where=str(Path.cwd()),
            found=f"process {turn.readline().strip() or '?'}",
            do="wait for it, or stop it; its finished results stay",
        )
    turn.truncate(0)
    turn.write(f"{os.getpid()}\n{secrets.token_hex(8)}\n")
    turn.flush()
    return turn


def current_run(state: Path = STATE) -> str:
    """What tells the run that has the folder, or had it last, from all others; nothing where none ever had."""
    try:
        return (state / "lock").read_text().partition("\n")[2].strip()
    except OSError:
        return ""


def refuse_while_at_work(state: Path = STATE) -> None:
    """Jobs outlive a run that is killed, and still write."""
    with _open(state / "jobs") as jobs:
        if not _lock(jobs, fcntl.LOCK_EX):
            raise PlumblineError(
                "jobs of a run that was killed are still at work in this folder",
                where=str(Path.cwd()),
                do="wait until they end, or stop them (`ps -ef | grep .snakemake/scripts`); what they finish stays",
            )


@contextlib.contextmanager
def at_work(state: Path = STATE) -> Iterator[None]:
    """Show runs to come that a job is at work here, even after the run that started it is gone."""
    with _open(state / "jobs") as jobs:
        _lock(jobs, fcntl.LOCK_SH)
        yield


def _open(path: Path) -> IO[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a+")
    file.seek(0)
    return file


def _lock(file: IO[str], how: int) -> bool:
    """False where others hold it. Some network file systems cannot lock: there nobody is held up."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
