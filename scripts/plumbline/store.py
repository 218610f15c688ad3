"""The completion store: what models answered, kept so that no question is paid for twice.

A folder of segments. Each writer appends to segments of its own and touches nobody else's, so many jobs write
at once on a network file system without a lock. A record is

    magic (4)  payload size (4)  key (32)  checksum of these (4)  checksum of key and payload (4)  payload

and the payload is a completion as JSON, deflated where that is shorter. A killed writer leaves a last record that
stops short: no damage, it is passed over. Anything else that does not fit its checksums is named in `problems`
and never served, and reading goes on at the next sound record. The index beside a segment is only a cache:
without it, or where it is damaged or covers less than the segment, the segment itself is read.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import socket
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate, groupby
from json import JSONDecoder, JSONEncoder
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
SEGMENT_BYTES = 256 << 20
"""A longer segment is sealed and a new one begun, so that reading one back takes bounded memory."""
INDEXED_ABOVE = 1 << 20
"""A reader that had to go through this much of a segment leaves an index for the next one."""

ENCODE = JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
DECODE = JSONDecoder().decode


def key_bytes(key: str) -> bytes:
    with contextlib.suppress(ValueError):
        if len(raw := bytes.fromhex(key)) == 32:
            return raw
    raise PlumblineError(f"{key!r} is no key of the completion store", expected="64 hexadecimal digits")


def pack(key: bytes, completion: Completion) -> bytes:
    # No ASCII escapes: they would join two lone surrogates that happen to stand side by side into one character.
    payload = ENCODE(vars(completion)).encode("utf-8", "surrogatepass")
    if len(payload) > DEFLATED_ABOVE:
        payload = min(payload, zlib.compress(payload, 1), key=len)
    front = FRONT.pack(MAGIC, len(payload), key)
    front_sum = zlib.crc32(front)
    return front + SUMS.pack(front_sum, zlib.crc32(payload, front_sum)) + payload


def unpack(record: bytes) -> Completion:
    payload = record[HEAD:]
    text = (payload if payload[:1] == b"{" else zlib.decompress(payload)).decode("utf-8", "surrogatepass")
    fields = DECODE(text)
    fields["logprobs"] = tuple(fields["logprobs"])
    return Completion(**fields)


def sound_size(data: bytes, at: int = 0, key: bytes | None = None) -> int:
    """Size of the undamaged record (of this key) that begins here; 0 where there is none."""
    size = claimed_size(data, at)
    record = data[at : at + size]
    if not size or len(record) < size or (key and record[8 : FRONT.size] != key):
        return 0
    front_sum, payload_sum = SUMS.unpack_from(record, FRONT.size)
    return size if zlib.crc32(record[HEAD:], front_sum) == payload_sum else 0


def claimed_size(data: bytes, at: int) -> int:
    """How long the record that begins here says it is; 0 where no undamaged head stands."""
    front = data[at : at + FRONT.size]
    if len(data) - at < HEAD or not front.startswith(MAGIC):
        return 0
    undamaged = zlib.crc32(front) == SUMS.unpack_from(data, at + FRONT.size)[0]
    return HEAD + int(FRONT.unpack(front)[1]) if undamaged else 0


def next_sound(data: bytes, at: int) -> int:
    """Where the next undamaged record begins, at `at` or later; the end of the data when there is none."""
    while (at := data.find(MAGIC, at)) >= 0:
        if sound_size(data, at):
            return at
        at += 1
    return len(data)


def is_torn(rest: bytes) -> bool:
    """Whether a segment's end is the beginning of a record whose writer was stopped, or is writing right now."""
    if len(rest) < HEAD:
        return rest.startswith(MAGIC[: len(rest)])
    # A file system that lost power may leave zeros at the end of a file.
    return claimed_size(rest, 0) > len(rest) or not rest.strip(b"\0")


@dataclass(frozen=True)
class Segment:
    """What has been read of one segment."""

    path: Path
    rows: Rows
    end: int
    """Everything before is sound; reading goes on here once the segment has grown."""
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
    torn = [gap for gap in gaps[-1:] if gap[1] == len(data) and is_torn(data[gap[0] :])]
    keys = (data[at + 8 : at + FRONT.size] for at in found)
    new = make_rows(keys, [start + at for at in found], [claimed_size(data, at) for at in found])
    return Segment(
        path,
        np.concatenate([rows, new]),
        end,
        size=start + len(data),
        problems=tuple(
            f"{path}, byte {start + a}: {b - a} bytes are damaged; set aside" for a, b in gaps if (a, b) not in torn
        ),
        notes=tuple(f"{path}, byte {start + a}: the last record stops short; passed over" for a, _ in torn),
    )


def read_segment(path: Path, size: int) -> Segment:
    problem: tuple[str, ...] = ()
    try:
        rows, covered = read_index(path)
        if covered > size:
            problem = (f"{path}, byte {size}: cut off; its index knows {covered} bytes",)
            rows, covered = NO_ROWS, 0
    except ValueError:
        problem = (f"{index_path(path)}, byte 0: damaged; the segment itself was read",)
        rows, covered = NO_ROWS, 0
    if covered == size:
        return Segment(path, rows, size, size, problem)
    segment = scan(path, rows, covered)
    if segment.end - covered > INDEXED_ABOVE and not segment.problems and not problem:
        write_index(path, segment.rows, segment.end)
    return replace(segment, problems=problem + segment.problems)


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


class Table:
    """All records of all segments, found by key; among equals the oldest segment's latest record comes first."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._paths = [str(segment.path) for segment in segments]
        self._rows = np.concatenate([NO_ROWS, *(segment.rows[::-1] for segment in segments)])
        self._segments = np.repeat(np.arange(len(segments)), [len(segment.rows) for segment in segments])
        prefixes = np.ascontiguousarray(self._rows["key"][:, 0])
        self._order = np.argsort(prefixes, kind="stable")
        self._prefixes = prefixes[self._order]

    def first(self, keys: Sequence[bytes]) -> list[Span | None]:
        """The best record of each key."""
        spans: list[Span | None] = [None] * len(keys)
        if not len(self._rows):
            return spans
        wanted = np.frombuffer(b"".join(keys), "<u8").reshape(-1, 4)
        places = np.searchsorted(self._prefixes, wanted[:, 0]).clip(max=len(self._rows) - 1)
        same = self._rows["key"][self._order[places]] == wanted
        exact = same.all(axis=1)
        hits = np.flatnonzero(exact)
        for hit, span in zip(hits.tolist(), self._spans(self._order[places[hits]]), strict=True):
            spans[hit] = span
        for twin in np.flatnonzero(same[:, 0] & ~exact):  # another key with the same first eight bytes
            spans[twin] = next(iter(self.candidates(keys[twin])), None)
        return spans

    def candidates(self, key: bytes) -> list[Span]:
        """Every record of one key, best first."""
        wanted = np.frombuffer(key, "<u8")
        low, high = np.searchsorted(self._prefixes, wanted[0], "left"), np.searchsorted(self._prefixes, wanted[0], "right")
        rows = self._order[low:high]
        return self._spans(rows[(self._rows["key"][rows] == wanted).all(axis=1)])

    def _spans(self, rows: NDArray[np.intp]) -> list[Span]:
        paths = [self._paths[segment] for segment in self._segments[rows].tolist()]
        return list(map(Span, paths, self._rows["offset"][rows].tolist(), self._rows["size"][rows].tolist()))

    def __len__(self) -> int:
        """How many different keys."""
        twins = self._prefixes[1:] == self._prefixes[:-1]
        unsure = self._order[np.append(twins, False) | np.append(False, twins)]
        return len(self._rows) - len(unsure) + len(set(map(bytes, self._rows["key"][unsure])))
