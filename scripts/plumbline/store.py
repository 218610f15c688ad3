"""The completion store: what models answered, kept so that no question is paid for twice.

A folder of segments. Each writer appends to one of its own and touches nobody else's, so many jobs write at
once on a network file system without a lock. A record is

    magic (4)  payload size (4)  key (32)  checksum of these (4)  checksum of key and payload (4)  payload

and the payload is a completion as JSON, deflated where that is shorter. A killed writer leaves a last record
that stops short: no damage, it is passed over. Anything else that does not fit its checksums is named in
`problems` and never served, and reading goes on at the next sound record. The index beside a segment is only
a cache: where it is missing, damaged or covers less than the segment, the segment itself is read.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import socket
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate, chain, groupby, repeat
from json import JSONDecoder, JSONEncoder
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from plumbline.asking import Completion
from plumbline.errors import PlumblineError
from plumbline.files import unwritable, write_bytes

MAGIC = b"\xf5PL\xff"
"""Begins a record. Holds bytes that UTF-8 never does, so that no completion can imitate one."""
FRONT = struct.Struct("<4sI32s")
SUMS = struct.Struct("<II")
HEAD = FRONT.size + SUMS.size
INDEX_HEAD = struct.Struct("<8sQI")
INDEX_MAGIC = b"PLINDEX1"
Rows = NDArray[np.void]
ROW = np.dtype([("key", "<u8", (4,)), ("offset", "<u8"), ("size", "<u4")])
NO_ROWS: Rows = np.empty(0, ROW)
DEFLATED_ABOVE = 512
BATCH_BYTES = 8 << 20
"""What is put is written at the latest when this much waits."""
INDEXED_ABOVE = 1 << 20
"""A reader that had to go through this much of a segment leaves an index for the next one."""

ENCODE = JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
DECODE = JSONDecoder().raw_decode


def key_bytes(key: str) -> bytes:
    try:
        raw = bytes.fromhex(key)
    except ValueError:
        raw = b""
    if len(raw) != 32:
        raise PlumblineError(f"{key!r} is no key of the completion store", expected="64 hexadecimal digits")
    return raw


def pack(key: bytes, completion: Completion) -> bytes:
    # No ASCII escapes: read back, two lone surrogates that stand side by side would be one character.
    payload = ENCODE(vars(completion)).encode("utf-8", "surrogatepass")
    if len(payload) > DEFLATED_ABOVE:
        payload = min(payload, zlib.compress(payload, 1), key=len)
    front = FRONT.pack(MAGIC, len(payload), key)
    front_sum = zlib.crc32(front)
    return front + SUMS.pack(front_sum, zlib.crc32(payload, front_sum)) + payload


def claimed_size(data: bytes, at: int = 0) -> int:
    """How long the record that begins here says it is; 0 where no undamaged head stands."""
    head = data[at : at + HEAD]
    if len(head) < HEAD or not head.startswith(MAGIC):
        return 0
    undamaged = zlib.crc32(head[: FRONT.size]) == SUMS.unpack_from(head, FRONT.size)[0]
    return HEAD + int(FRONT.unpack_from(head)[1]) if undamaged else 0


def sound_size(data: bytes, at: int = 0) -> int:
    """Size of the undamaged record that begins here; 0 where there is none."""
    size = claimed_size(data, at)
    record = data[at : at + size]
    if not size or len(record) < size:
        return 0
    head_sum, payload_sum = SUMS.unpack_from(record, FRONT.size)
    return size if zlib.crc32(record[HEAD:], head_sum) == payload_sum else 0


def unpack(record: bytes) -> Completion | None:
    """The completion in a record; none where it is damaged, or another version of plumbline wrote other fields."""
    if not sound_size(record):
        return None
    payload = record[HEAD:]
    text = (payload if payload[:1] == b"{" else zlib.decompress(payload)).decode("utf-8", "surrogatepass")
    fields, _ = DECODE(text)
    try:
        return Completion(**fields | {"logprobs": tuple(fields["logprobs"])})
    except (KeyError, TypeError):
        return None


def next_sound(data: bytes, at: int) -> int:
    """Where the next undamaged record begins, at `at` or later; the end of the data when there is none."""
    while (at := data.find(MAGIC, at)) >= 0:
        if sound_size(data, at):
            return at
        at += 1
    return len(data)


def is_torn(rest: bytes) -> bool:
    """Whether a segment ends in the beginning of a record: its writer was stopped, or is writing now."""
    if len(rest) < HEAD:
        return rest.startswith(MAGIC[: len(rest)])
    # A file system that lost power may leave zeros at the end of a file.
    return claimed_size(rest, 0) > len(rest) or not rest.strip(b"\0")


@dataclass(frozen=True)
class Segment:
    """What has been read of one segment."""

    path: Path
    rows: Rows
    end: int  # everything before is sound
    size: int
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def make_rows(keys: Iterable[bytes], offsets: Sequence[int], sizes: Sequence[int]) -> Rows:
    rows = np.empty(len(sizes), ROW)
    rows["key"] = np.frombuffer(b"".join(keys), "<u8").reshape(-1, 4)
    rows["offset"], rows["size"] = offsets, sizes
    return rows


def scan(path: Path, rows: Rows, start: int) -> Segment:
    """Read a segment on from `start`, where the records before it are known already."""
    with path.open("rb") as handle:
        handle.seek(start)
        data = handle.read()
    found: list[int] = []
    gaps: list[tuple[int, int]] = []
    at = 0
    while at < len(data):
        if size := sound_size(data, at):
            found.append(at)
            at += size
        else:
            gaps.append((at, next_sound(data, at + 1)))
            at = gaps[-1][1]
    end = start + (gaps[0][0] if gaps else len(data))
    torn = [gaps.pop()[0]] if gaps and gaps[-1][1] == len(data) and is_torn(data[gaps[-1][0] :]) else []
    keys = (data[at + 8 : at + FRONT.size] for at in found)
    new = make_rows(keys, [start + at for at in found], [claimed_size(data, at) for at in found])
    return Segment(
        path,
        np.concatenate([rows, new]),
        end,
        size=start + len(data),
        problems=tuple(f"{path}, byte {start + a}: {b - a} damaged bytes; set aside" for a, b in gaps),
        notes=tuple(f"{path}, byte {start + a}: the last record stops short; passed over" for a in torn),
    )


def read_segment(path: Path, known: Segment | None = None) -> Segment:
    """What a segment holds by now; nothing is read where it has not grown."""
    try:
        size = path.stat().st_size
        return known if known and known.size == size else read_anew(path, size)
    except OSError as error:
        problem = f"{path}, byte 0: cannot be read ({error.strerror}); set aside"
        return Segment(path, NO_ROWS, end=0, size=-1, problems=(problem,))


def read_anew(path: Path, size: int) -> Segment:
    """Read the index as far as it reaches, and the segment itself beyond."""
    problems: tuple[str, ...] = ()
    try:
        rows, covered = read_index(path)
    except ValueError:
        rows, covered = NO_ROWS, 0
        problems = (f"{index_path(path)}, byte 0: damaged index; the segment itself was read",)
    if covered > size:
        problems = (f"{path}, byte {size}: cut off, its index knows of {covered} bytes; the rest is lost",)
        rows, covered = NO_ROWS, 0
    if covered == size:
        return Segment(path, rows, size, size, problems)
    segment = scan(path, rows, covered)
    if segment.end - covered > INDEXED_ABOVE and not segment.problems:
        write_index(path, segment.rows, segment.end)
    return replace(segment, problems=problems + segment.problems)


def index_path(segment: Path) -> Path:
    return segment.with_suffix(".index")


def write_index(segment: Path, rows: Rows, covered: int) -> None:
    body = rows.tobytes()
    checksum = zlib.crc32(body, zlib.crc32(INDEX_HEAD.pack(INDEX_MAGIC, covered, 0)))
    with contextlib.suppress(PlumblineError):  # only a cache: a full disk here costs time, not data
        write_bytes(index_path(segment), INDEX_HEAD.pack(INDEX_MAGIC, covered, checksum) + body)


def read_index(segment: Path) -> tuple[Rows, int]:
    """The records of a segment's first part, and where that part ends; ValueError where it is damaged."""
    try:
        data = index_path(segment).read_bytes()
    except FileNotFoundError:
        return NO_ROWS, 0
    body = memoryview(data)[INDEX_HEAD.size :]
    magic, covered, checksum = INDEX_HEAD.unpack(data[: INDEX_HEAD.size].ljust(INDEX_HEAD.size))
    if magic != INDEX_MAGIC or zlib.crc32(body, zlib.crc32(INDEX_HEAD.pack(magic, covered, 0))) != checksum:
        raise ValueError("damaged index")
    return np.frombuffer(body, ROW), covered


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
        self._segments = np.repeat(np.arange(len(segments)), [len(segment.rows) for segment in segments])
        prefixes = np.ascontiguousarray(self._rows["key"][:, 0])
        self._order = np.argsort(prefixes, kind="stable")
        self._prefixes = prefixes[self._order]

    def best(self, keys: Sequence[bytes]) -> list[Span]:
        """The first record of each key that has one, in the order they are best read in."""
        if not len(self._rows):
            return []
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
        wanted = np.frombuffer(key, "<u8")
        low = np.searchsorted(self._prefixes, wanted[0])
        high = np.searchsorted(self._prefixes, wanted[0], "right")
        rows = self._order[low:high]
        rows = rows[(self._rows["key"][rows] == wanted).all(axis=1)]
        return self._spans(rows, np.full(len(rows), asked))

    def _spans(self, rows: NDArray[np.intp], asked: NDArray[np.intp]) -> list[Span]:
        paths = [self._paths[segment] for segment in self._segments[rows].tolist()]
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


class Store:
    """Completions by key. One Store belongs to one thread of one process; any number may share a folder."""

    def __init__(self, folder: Path, writer: str | None = None) -> None:
        self.folder = folder
        self._name = re.sub(r"[^\w.-]", "-", writer or f"{socket.gethostname()}-{os.getpid()}")
        self._writer: Writer | None = None
        self._waiting: dict[bytes, bytes] = {}
        self._waiting_bytes = 0
        self._written: dict[bytes, Span] = {}
        self._mine: set[Path] = set()
        self._segments: list[Segment] = []
        self._unreadable: dict[str, None] = {}
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
            paths = {path for path in self.folder.iterdir() if path.suffix == ".segment"}
        except FileNotFoundError:
            paths = set()
        except OSError as error:
            raise PlumblineError(
                f"cannot read the completion store ({error.strerror})", where=str(self.folder)
            ) from error
        known = {segment.path: segment for segment in self._segments}
        self._segments = [read_segment(path, known.get(path)) for path in sorted(paths - self._mine)]
        self._table = Table(self._segments)

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
        for path, group in groupby(spans, attrgetter("path")):
            try:
                with open(path, "rb", buffering=0) as handle:  # noqa: PTH123 - no Path for each of a million
                    for span in group:
                        record = os.pread(handle.fileno(), span.size, span.offset)
                        if record[8 : FRONT.size] == keys[span.asked] and (completion := unpack(record)):
                            yield span.asked, completion
                        else:
                            self._unreadable[f"{path}, byte {span.offset}: damaged record; set aside"] = None
            except OSError as error:
                self._unreadable[f"{path}, byte 0: cannot be read ({error.strerror}); set aside"] = None

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
                self._mine.add(self._writer.path)
            self._written.update(self._writer.append(self._waiting))
        except OSError as error:
            raise unwritable(self._writer.path if self._writer else self.folder, error) from error
        self._waiting, self._waiting_bytes = {}, 0

    def close(self) -> None:
        try:
            self.flush()
        finally:
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
