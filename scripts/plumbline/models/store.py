"""The completion store: what models answered, kept so that no question is paid for twice.

A folder of segments (see segments.py). Each writer appends to one of its own and touches nobody else's, so many jobs
write at once on a network file system without a lock.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import socket
import weakref
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from typing import Self

import numpy as np

from plumbline.models.asking import Completion
from plumbline.models.lookup import KeyIndex
from plumbline.models.segments import (
    FRONT,
    NO_ROWS,
    Rows,
    key_bytes,
    make_rows,
    pack,
    read_record,
    read_segment,
    sound_size,
    unpack,
    write_index,
)
from plumbline.records.errors import PlumblineError
from plumbline.records.files import unwritable
from plumbline.records.joblog import log

BATCH_BYTES = 8 << 20
"""What is put is written at the latest when this much waits."""
SEALED_ABOVE = 50_000
"""A job that wrote so many records begins a new segment: the rows of its index wait in memory."""
SEALED_BYTES = 64 << 20
"""The same of its size: where the index is missing, a segment is read in one piece."""
OPEN_FILES = 256
"""How many segments are kept open for reading."""


class Writer:
    """Appends to a segment of this process's own."""

    def __init__(self, folder: Path, name: str) -> None:
        # The time comes first: of two records of one key the older is served, today and later.
        unique = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{name}-{secrets.token_hex(4)}"
        self.path = folder / f"{unique}.segment"
        self.end = 0
        self.records = 0
        self._rows = [NO_ROWS]
        folder.mkdir(parents=True, exist_ok=True)
        self._handle = self.path.open("xb", buffering=0)

    def append(self, records: Mapping[bytes, bytes]) -> Rows:
        """Make records durable; say where each lies. An error leaves a torn end, and the next call mends it."""
        batch = memoryview(b"".join(records.values()))
        written = 0
        while written < len(batch):
            written += os.pwrite(self._handle.fileno(), batch[written:], self.end + written)
        os.fsync(self._handle.fileno())
        sizes = list(map(len, records.values()))
        offsets = list(accumulate(sizes, initial=self.end))
        self.end = offsets.pop()
        self.records += len(records)
        self._rows.append(make_rows(records, offsets, sizes))
        return self._rows[-1]

    def seal(self) -> None:
        with contextlib.suppress(OSError):  # what counts is synced already
            self._handle.close()
        write_index(self.path, np.concatenate(self._rows), self.end)


def close_files(files: dict[str, int]) -> None:
    while files:
        os.close(files.popitem()[1])


class Store:
    """Completions by key: those that were there when it was opened, and its own.

    One Store belongs to one thread of one process; any number may share a folder.
    """

    def __init__(self, folder: Path, writer: str | None = None) -> None:
        self.folder = folder
        self._name = re.sub(r"[^\w.-]", "-", writer or f"{socket.gethostname()}-{os.getpid()}")
        self._writer: Writer | None = None
        self._waiting: dict[bytes, bytes] = {}
        self._waiting_bytes = 0
        self._lookup = KeyIndex()
        self.problems: list[str] = []
        """Damage met so far: file, byte, and what was set aside."""
        self.notes: list[str] = []
        """Nothing to worry about: where a stopped (or still writing) writer's last record stops short."""
        self._open_files: dict[str, int] = {}
        weakref.finalize(self, close_files, self._open_files)
        for path in self._segments():
            segment = read_segment(path)
            if len(segment.rows):
                self._lookup.add(str(path), segment.rows["key"], segment.rows["offset"], segment.size)
            for problem in segment.problems:
                self._set_aside(problem)
            self.notes += segment.notes
            for note in segment.notes:
                log.info("completion store: %s", note)

    def _segments(self) -> list[Path]:
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix == ".segment")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise PlumblineError(
                f"cannot read the completion store ({error.strerror})", where=str(self.folder)
            ) from error

    def get(self, key: str) -> Completion | None:
        """What waits to be written, or the first sound record of this key."""
        raw = key_bytes(key)
        if raw in self._waiting:
            return unpack(self._waiting[raw])
        for path, offset in self._lookup.spots(raw):
            if completion := self._read(raw, path, offset):
                return completion
        return None

    def _read(self, key: bytes, path: str, offset: int) -> Completion | None:
        """What stands there, where it is this key's."""
        try:
            handle = self._open_files.get(path)
            record = read_record(self._open(path) if handle is None else handle, offset)
        except OSError as error:
            self._set_aside(f"{path}, byte 0: cannot be read ({error.strerror}); set aside")
            return None
        if record[8 : FRONT.size] == key and (completion := unpack(record)):
            return completion
        if record[8 : FRONT.size] == key or not sound_size(record):
            self._set_aside(f"{path}, byte {offset}: damaged record; set aside")
        return None

    def _set_aside(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)
            log.warning("completion store: %s", problem)

    def _open(self, path: str) -> int:
        """Segments stay open: on a network file system, to open one takes far longer than to read a record."""
        if len(self._open_files) >= OPEN_FILES:
            os.close(self._open_files.popitem()[1])
        self._open_files[path] = os.open(path, os.O_RDONLY)
        return self._open_files[path]

    def put(self, key: str, completion: Completion) -> None:
        raw = key_bytes(key)
        self._waiting[raw] = record = pack(raw, completion)
        self._waiting_bytes += len(record)
        if self._waiting_bytes > BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Make all that was put durable. After an error it is still held, and flushing again goes on."""
        if not self._waiting:
            return
        try:
            if self._writer is None:
                self._writer = Writer(self.folder, self._name)
            rows = self._writer.append(self._waiting)
        except OSError as error:
            raise unwritable(self._writer.path if self._writer else self.folder, error) from error
        self._waiting, self._waiting_bytes = {}, 0
        self._lookup.add(str(self._writer.path), rows["key"], rows["offset"], self._writer.end)
        if self._writer.records >= SEALED_ABOVE or self._writer.end >= SEALED_BYTES:
            self._seal()

    def _seal(self) -> None:
        if self._writer:
            self._writer.seal()
            self._writer = None

    def close(self) -> None:
        try:
            self.flush()
        finally:
            close_files(self._open_files)
            self._seal()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
