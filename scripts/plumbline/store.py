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
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import accumulate, chain, groupby, repeat
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from plumbline.asking import Completion
from plumbline.errors import PlumblineError
from plumbline.files import unwritable
from plumbline.segments import (
    FRONT,
    NO_ROWS,
    Segment,
    key_bytes,
    make_rows,
    pack,
    read_segment,
    unpack,
    write_index,
)

BATCH_BYTES = 8 << 20
"""What is put is written at the latest when this much waits."""
FOLDED_ABOVE = 50_000
"""A job that wrote so many records begins a new segment."""
OPEN_FILES = 256
"""How many segments are kept open for reading."""


class Span(NamedTuple):
    """Where a record lies."""

    path: str
    offset: int
    size: int
    asked: int = 0
    """Which of the keys asked for it answers."""


class Table:
    """The records of all segments by key; of one key the oldest segment's latest record comes first."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._paths = [str(segment.path) for segment in segments]
        self._rows = np.concatenate([NO_ROWS, *(segment.rows[::-1] for segment in segments)])
        self._ends = list(accumulate(len(segment.rows) for segment in segments))
        prefixes = np.ascontiguousarray(self._rows["key"][:, 0])
        self._order = np.argsort(prefixes, kind="stable").astype(np.uint32)
        self._prefixes = prefixes[self._order]
        # A long job fills memory with what it has written: each segment's rows are kept once, here.
        starts = [0, *self._ends]
        self.segments = [
            replace(s, rows=self._rows[a:b][::-1]) for s, a, b in zip(segments, starts, self._ends, strict=False)
        ]

    def best(self, keys: Sequence[bytes]) -> list[Span]:
        """The first record of each key that has one, in the order they are best read in."""
        if not len(self._rows):
            return []
        if len(keys) == 1:
            return self.all(keys[0], 0)[:1]
        wanted = np.frombuffer(b"".join(keys), "<u8").reshape(-1, 4)
        places = np.searchsorted(self._prefixes, wanted[:, 0]).clip(max=len(self._rows) - 1)
        rows = self._order[places]
        same = self._rows["key"][rows] == wanted
        exact = same.all(axis=1)
        asked = np.flatnonzero(exact)
        asked = asked[np.argsort(rows[asked])[::-1]]
        twins = np.flatnonzero(same[:, 0] & ~exact).tolist()  # keys of which only the first eight bytes are equal
        return self._spans(rows[asked], asked) + [span for i in twins for span in self.all(keys[i], i)[:1]]

    def all(self, key: bytes, asked: int) -> list[Span]:
        """Each record of one key, looked up without numpy's overhead for many."""
        prefix, found = np.uint64(int.from_bytes(key[:8], "little")), []
        place = int(self._prefixes.searchsorted(prefix))
        while place < len(self._prefixes) and self._prefixes[place] == prefix:
            row = int(self._order[place])
            record = self._rows[row]
            if record["key"].tobytes() == key:
                path = self._paths[bisect_right(self._ends, row)]
                found.append(Span(path, int(record["offset"]), int(record["size"]), asked))
            place += 1
        return found

    def _spans(self, rows: NDArray[np.intp], asked: NDArray[np.intp]) -> list[Span]:
        segments = np.searchsorted(self._ends, rows, "right")
        paths = [self._paths[segment] for segment in segments.tolist()]
        offsets, sizes = self._rows["offset"][rows].tolist(), self._rows["size"][rows].tolist()
        return list(map(Span, paths, offsets, sizes, asked.tolist()))

    def keys(self) -> set[bytes]:
        return set(np.ascontiguousarray(self._rows["key"]).view("V32").ravel().tolist())


class Writer:
    """Appends to a segment of this process's own."""

    def __init__(self, folder: Path, name: str) -> None:
        # The time comes first: of two records of one key the older is served, today and later.
        unique = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{name}-{secrets.token_hex(4)}"
        self.path = folder / f"{unique}.segment"
        self.end = 0
        self._rows = [NO_ROWS]
        folder.mkdir(parents=True, exist_ok=True)
        self._handle = self.path.open("xb", buffering=0)

    def append(self, records: Mapping[bytes, bytes]) -> Iterator[tuple[bytes, Span]]:
        """Make records durable; say where each lies. An error leaves a torn end, and the next call mends it."""
        batch = memoryview(b"".join(records.values()))
        written = 0
        while written < len(batch):
            written += os.pwrite(self._handle.fileno(), batch[written:], self.end + written)
        os.fsync(self._handle.fileno())
        sizes = list(map(len, records.values()))
        offsets = list(accumulate(sizes, initial=self.end))
        self.end = offsets.pop()
        self._rows.append(make_rows(records, offsets, sizes))
        return zip(records, map(Span, repeat(str(self.path)), offsets, sizes), strict=True)

    def seal(self) -> None:
        with contextlib.suppress(OSError):  # what counts is synced already
            self._handle.close()
        write_index(self.path, np.concatenate(self._rows), self.end)


def close_files(files: dict[str, int]) -> None:
    while files:
        os.close(files.popitem()[1])


class Store:
    """Completions by key. One Store belongs to one thread of one process; any number may share a folder."""

    def __init__(self, folder: Path, writer: str | None = None) -> None:
        self.folder = folder
        self._name = re.sub(r"[^\w.-]", "-", writer or f"{socket.gethostname()}-{os.getpid()}")
        self._writer: Writer | None = None
        self._waiting: dict[bytes, bytes] = {}
        self._waiting_bytes = 0
        self._written: dict[bytes, Span] = {}
        self._segments: list[Segment] = []
        self._unreadable: dict[str, None] = {}
        self._open_files: dict[str, int] = {}
        weakref.finalize(self, close_files, self._open_files)
        self.refresh()

    @property
    def problems(self) -> list[str]:
        """Damage met so far: file, byte, and what was set aside."""
        return [*chain.from_iterable(segment.problems for segment in self._segments), *self._unreadable]

    @property
    def notes(self) -> list[str]:
        """Nothing to worry about: where a stopped (or still writing) writer's last record stops short."""
        return [*chain.from_iterable(segment.notes for segment in self._segments)]

    def refresh(self) -> None:
        """Take up what other writers have appended since."""
        try:
            paths = sorted(path for path in self.folder.iterdir() if path.suffix == ".segment")
        except FileNotFoundError:
            paths = []
        except OSError as error:
            raise PlumblineError(
                f"cannot read the completion store ({error.strerror})", where=str(self.folder)
            ) from error
        known = {segment.path: segment for segment in self._segments}
        self._table = Table([read_segment(path, known.get(path)) for path in paths])
        self._segments = self._table.segments

    def get(self, key: str) -> Completion | None:
        return self.get_many([key])[0]

    def get_many(self, keys: Sequence[str]) -> list[Completion | None]:
        """Much faster than `get` for each: keys are found in bulk, and each segment is opened once."""
        raw = list(map(key_bytes, keys))
        found: list[Completion | None] = [None] * len(raw)
        spans = self._table.best(raw)
        mine = [span._replace(asked=i) for i, key in enumerate(raw) if (span := self._written.get(key))]
        for i, completion in chain(self._read(spans, raw), self._read(mine, raw)):
            found[i] = completion
        for i in [span.asked for span in spans if found[span.asked] is None]:
            # Damaged: perhaps another segment holds it too.
            found[i] = next((good for _, good in self._read(self._table.all(raw[i], i), raw)), None)
        for i in [i for i, key in enumerate(raw) if key in self._waiting]:
            found[i] = unpack(self._waiting[raw[i]])
        return found

    def _read(self, spans: Iterable[Span], keys: Sequence[bytes]) -> Iterator[tuple[int, Completion]]:
        for path, group in groupby(spans, lambda span: span.path):
            try:
                handle = self._open(path)
                for span in group:
                    record = os.pread(handle, span.size, span.offset)
                    if record[8 : FRONT.size] == keys[span.asked] and (completion := unpack(record)):
                        yield span.asked, completion
                    else:
                        self._unreadable[f"{path}, byte {span.offset}: damaged record; set aside"] = None
            except OSError as error:
                self._unreadable[f"{path}, byte 0: cannot be read ({error.strerror}); set aside"] = None

    def _open(self, path: str) -> int:
        """Segments stay open: on a network file system, to open one takes far longer than to read a record."""
        if path not in self._open_files:
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

    def put_many(self, completions: Iterable[tuple[str, Completion]]) -> None:
        for key, completion in completions:
            self.put(key, completion)

    def flush(self) -> None:
        """Make all that was put durable. After an error it is still held, and flushing again goes on."""
        if not self._waiting:
            return
        try:
            if self._writer is None:
                self._writer = Writer(self.folder, self._name)
            self._written.update(self._writer.append(self._waiting))
        except OSError as error:
            raise unwritable(self._writer.path if self._writer else self.folder, error) from error
        self._waiting, self._waiting_bytes = {}, 0
        if len(self._written) >= FOLDED_ABOVE:
            self._fold()

    def _fold(self) -> None:
        """End the segment and look it up like those of others: in a long job, where each record lies fills memory."""
        if self._writer:
            self._writer.seal()
            self._writer = None
        self._written.clear()
        self.refresh()

    def close(self) -> None:
        try:
            self.flush()
        finally:
            close_files(self._open_files)
            if self._writer:
                self._writer.seal()
                self._writer = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """How many different keys; counts them all, so not for a loop."""
        return len(self._table.keys().union(self._written, self._waiting))
