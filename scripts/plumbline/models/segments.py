"""Segments: files of checksummed records, and their indexes.

A record is

    magic (4)  payload size (4)  key (32)  checksum of these (4)  checksum of key and payload (4)  payload

and the payload is a completion as JSON, deflated where that is shorter. A killed writer leaves a last record that
stops short: no damage, it is passed over. Anything else that does not fit its checksums is named in `problems` and
never served, and reading goes on at the next sound record. The index beside a segment is only a cache: where it is
missing, damaged or covers less than the segment, the segment itself is read.
"""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from json import JSONDecoder, JSONEncoder
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plumbline.models.asking import Completion
from plumbline.records.errors import PlumblineError
from plumbline.records.files import write_bytes

MAGIC = b"\xf5PL\xff"
"""Begins a record. Holds bytes that UTF-8 never does, so that no completion can imitate one."""
FRONT = struct.Struct("<4sI32s")
SUMS = struct.Struct("<II")
WHOLE_HEAD = struct.Struct(FRONT.format + SUMS.format[1:])
HEAD = FRONT.size + SUMS.size
INDEX_HEAD = struct.Struct("<8sQI")
INDEX_MAGIC = b"PLINDEX1"
Rows = NDArray[np.void]
ROW = np.dtype([("key", "<u8", (4,)), ("offset", "<u8"), ("size", "<u4")])
NO_ROWS: Rows = np.empty(0, ROW)
DEFLATED_ABOVE = 512
FIELDS = Completion.__dataclass_fields__.keys()
READ_AHEAD = 1024
"""Most records are no longer, and are read at once."""
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


def unpack(data: bytes) -> Completion | None:
    """The completion in the record that begins here; none where it is damaged, or has another version's fields."""
    if len(data) < HEAD:
        return None
    magic, size, _, head_sum, payload_sum = WHOLE_HEAD.unpack_from(data)
    payload = data[HEAD : HEAD + size]
    if magic != MAGIC or size != len(payload) or zlib.crc32(data[: FRONT.size]) != head_sum:
        return None
    if zlib.crc32(payload, head_sum) != payload_sum:
        return None
    text = (payload if payload[:1] == b"{" else zlib.decompress(payload)).decode("utf-8", "surrogatepass")
    fields, _ = DECODE(text)
    if fields.keys() != FIELDS:
        return None
    fields["logprobs"] = tuple(fields["logprobs"])
    completion = Completion.__new__(Completion)
    vars(completion).update(fields)  # as its constructor would, but faster: there may be millions
    return completion


def read_record(handle: int, offset: int) -> bytes:
    """The record that begins there, as far as can be read, and perhaps something of the next."""
    data = os.pread(handle, READ_AHEAD, offset)
    if int.from_bytes(data[4:8], "little") + HEAD > len(data) and (size := claimed_size(data)) > len(data):
        data += os.pread(handle, size - len(data), offset + len(data))
    return data


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


def read_segment(path: Path) -> Segment:
    """What a segment holds by now; its damage is told and does no further harm."""
    try:
        return read_whole(path)
    except OSError as error:
        problem = f"{path}, byte 0: cannot be read ({error.strerror}); set aside"
        return Segment(path, NO_ROWS, end=0, size=-1, problems=(problem,))


def read_whole(path: Path) -> Segment:
    """Read the index as far as it reaches, and the segment itself beyond."""
    problems: tuple[str, ...] = ()
    try:
        rows, covered = read_index(path)
    except ValueError:
        rows, covered = NO_ROWS, 0
        problems = (f"{index_path(path)}, byte 0: damaged index; the segment itself was read",)
    # Only now: the other way round, a writer at work could make the index reach beyond what was seen of the segment.
    with path.open("rb") as handle:
        size = os.fstat(handle.fileno()).st_size
        if covered == size:
            return Segment(path, rows, size, size, problems)
        if cut := covered > size:
            problems = (f"{path}, byte {size}: cut off, its index knows of {covered} bytes; the rest is lost",)
            rows, covered = NO_ROWS, 0
        handle.seek(covered)
        segment = scan(path, handle.read(), covered, rows)
    if segment.end - covered > INDEXED_ABOVE and not (cut or segment.problems):
        write_index(path, segment.rows, segment.end)
    return replace(segment, problems=problems + segment.problems)


def scan(path: Path, data: bytes, start: int, rows: Rows) -> Segment:
    """Find the records in a segment's bytes from `start` on, where those before are known already."""
    starts: list[int] = []
    gaps: list[tuple[int, int]] = []
    at = 0
    while at < len(data):
        if size := sound_size(data, at):
            starts.append(at)
            at += size
        else:
            gaps.append((at, next_sound(data, at + 1)))
            at = gaps[-1][1]
    end = start + (gaps[0][0] if gaps else len(data))
    torn = [gaps.pop()[0]] if gaps and gaps[-1][1] == len(data) and is_torn(data[gaps[-1][0] :]) else []
    keys = (data[at + 8 : at + FRONT.size] for at in starts)
    new = make_rows(keys, [start + at for at in starts], [claimed_size(data, at) for at in starts])
    return Segment(
        path,
        np.concatenate([rows, new]),
        end,
        size=start + len(data),
        problems=tuple(f"{path}, byte {start + a}: {b - a} damaged bytes; set aside" for a, b in gaps),
        notes=tuple(f"{path}, byte {start + a}: the last record stops short; passed over" for a in torn),
    )


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
