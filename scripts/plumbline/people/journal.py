"""The file one reviewer writes: append-only, on disk before the page says saved, and closed to a second writer."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from pathlib import Path
from types import TracebackType

from plumbline.derive.review import Decision, as_line, read_decisions
from plumbline.records.errors import PlumblineError
from plumbline.records.files import unwritable

LONGEST_NAME = 80


class Journal:
    """One reviewer's decisions file, open for appending."""

    def __init__(self, path: Path, reviewer: str) -> None:
        self.path = path
        self.reviewer = named(reviewer)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise unwritable(path, error) from error
        try:
            self._claim()
            self.decisions = read_decisions([path])
            self._mend()
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._file)

    def append(self, decision: Decision) -> None:
        """On disk when this returns; of a full disk nothing is left but the error."""
        line, end = as_line(decision), os.fstat(self._file).st_size
        try:
            if os.write(self._file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, end)
            raise unwritable(self.path, error) from error
        self.decisions.append(decision)

    def _claim(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise PlumblineError(
                f"{self.path} is open in another review",
                where=str(self.path),
                do="close that one, or write to a file of your own: decisions of several files are joined",
            ) from error

    def _mend(self) -> None:
        """Whoever wrote before may have been cut off inside a line."""
        others = {decision.reviewer for decision in self.decisions} - {self.reviewer}
        if others:
            raise PlumblineError(
                f"{self.path} holds another reviewer's decisions",
                where=str(self.path),
                expected=self.reviewer,
                found=", ".join(sorted(others)),
                do="write to a file of your own: decisions of several files are joined",
            )
        data = self.path.read_bytes()
        torn = data[data.rfind(b"\n") + 1 :]
        if torn and is_json(torn):
            os.write(self._file, b"\n")
        elif torn:
            os.ftruncate(self._file, len(data) - len(torn))
        os.fsync(self._file)


def is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def named(reviewer: str) -> str:
    """A name that fits in a line and on the page."""
    if not reviewer.strip() or not reviewer.isprintable() or len(reviewer) > LONGEST_NAME:
        raise PlumblineError(
            "a reviewer needs a name of printable letters",
            expected=f"1 to {LONGEST_NAME} letters",
            found=repr(reviewer),
        )
    return reviewer.strip()
