"""The file one person writes: append-only, on disk before the page says saved, and closed to a second writer."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

from plumbline.data.journal_lines import as_line
from plumbline.derive.review import Decision, decisions_in
from plumbline.people.lines import ItemLabels, labels_in
from plumbline.records.errors import PlumblineError
from plumbline.records.files import read_bytes, unwritable

LONGEST_NAME = 80
Line = TypeVar("Line")


@dataclass(frozen=True)
class Kind(Generic[Line]):
    """What the lines of a journal are."""

    read: Callable[[bytes, str], list[Line]]
    """All lines of a file of this name, or the error that says which one means nothing."""
    writer: Callable[[Line], str]
    """Who says what a line says."""


LABELS: Kind[ItemLabels] = Kind(labels_in, attrgetter("rater"))
DECISIONS: Kind[Decision] = Kind(decisions_in, attrgetter("reviewer"))


class Journal(Generic[Line]):
    """One person's file, open for appending."""

    def __init__(self, path: Path, rater: str, kind: Kind[Line]) -> None:
        self.path = path
        self.rater = named(rater)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise unwritable(path, error) from error
        try:
            self._claim()
            data = read_bytes(path)
            self.lines = kind.read(data, str(path))
            self._refuse_others({kind.writer(line) for line in self.lines} - {self.rater})
            self._mend(data)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Journal[Line]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._file)

    def append(self, line: Line) -> None:
        """On disk when this returns; of a full disk nothing is left but the error."""
        written, end = as_line(line), os.fstat(self._file).st_size
        try:
            if os.write(self._file, written) < len(written):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, end)
            raise unwritable(self.path, error) from error
        self.lines.append(line)

    def _claim(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise PlumblineError(
                f"{self.path} is already open on another page",
                where=str(self.path),
                do="end that one, or write to a file of your own: those of several people are joined",
            ) from error

    def _refuse_others(self, others: set[str]) -> None:
        if others:
            raise PlumblineError(
                f"{self.path} is another person's",
                where=str(self.path),
                expected=self.rater,
                found=", ".join(sorted(others)),
                do="write to a file of your own: those of several people are joined",
            )

    def _mend(self, data: bytes) -> None:
        """Whoever wrote before may have been cut off inside a line."""
        torn = data[data.rfind(b"\n") + 1 :]
        try:
            if torn and is_json(torn):
                os.write(self._file, b"\n")
            elif torn:
                os.ftruncate(self._file, len(data) - len(torn))
            os.fsync(self._file)
        except OSError as error:
            raise unwritable(self.path, error) from error


def is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def named(rater: str) -> str:
    """A name that fits in a line and on the page."""
    if not rater.strip() or not rater.isprintable() or len(rater) > LONGEST_NAME:
        raise PlumblineError(
            "a rater needs a name of printable letters",
            expected=f"1 to {LONGEST_NAME} letters",
            found=ascii(rater)[:LONGEST_NAME],
        )
    return rater.strip()
