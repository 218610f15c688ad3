"""Where the records of a key may lie: eight bytes a record, however many the store holds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.records.errors import PlumblineError

BUCKETS = 256
BYTE_BITS = 40
"""An entry holds a byte's number below, three bytes of a key above."""
SORTED_ABOVE = 1 << 16
"""What is added is sorted in when it is so much, or when somebody looks: to open a store of many small segments
would otherwise sort every bucket anew for each, or all at once, which takes much memory."""

Heads = NDArray[np.uint32]
Entries = NDArray[np.uint64]
Numbers = NDArray[np.intp]
EMPTY: Entries = np.empty(0, np.uint64)
NOBODY: Numbers = np.empty(0, np.intp)
BYTES = np.uint64((1 << BYTE_BITS) - 1)


class Spot(NamedTuple):
    """Where a record begins."""

    path: str
    offset: int


class Lookup:
    """Segments laid end to end make one long file; an entry is a byte of it, beside the beginning of a key.

    A key's first byte chooses its bucket, the next three stand in its entry, and whoever reads the record sees the
    rest. Keys are digests: they fill all buckets alike, and of a million hardly two begin with the same four bytes.
    """

    def __init__(self) -> None:
        self._buckets = [EMPTY] * BUCKETS
        self._paths: list[str] = []
        self._starts: list[int] = []
        self._end = 0
        self._new: list[tuple[Heads, Entries]] = []
        self._new_count = 0

    def add(self, path: str, keys: NDArray[np.uint64], offsets: NDArray[np.uint64], end: int) -> None:
        """Records of a segment that by now ends at `end`: a new segment, or the one that was added to last."""
        if not self._paths or self._paths[-1] != path:
            self._paths.append(path)
            self._starts.append(self._end)
        self._end = self._starts[-1] + end
        if self._end >> BYTE_BITS:
            raise PlumblineError(
                "the completion store holds more than a terabyte", do='begin another one: --config hydra="store=…"'
            )
        found = heads(keys)
        self._new.append((found, smallest(found) | (offsets.astype(np.uint64) + np.uint64(self._starts[-1]))))
        self._new_count += len(found)
        if self._new_count > SORTED_ABOVE:
            self._sort_in()

    def _sort_in(self) -> None:
        if not self._new:
            return
        found, entries = (np.concatenate(arrays) for arrays in zip(*self._new, strict=True))
        self._new, self._new_count = [], 0
        for bucket, chosen in by_bucket(found):
            grown = np.concatenate([self._buckets[bucket], entries[chosen]])
            grown.sort(kind="stable")  # quick where most is in order
            self._buckets[bucket] = grown

    def spots(self, key: bytes) -> list[Spot]:
        """Records that may be this key's: of the oldest segment first, and of one segment the latest first."""
        self._sort_in()
        bucket, beginning = self._buckets[key[0]], int.from_bytes(key[1:4], "big")
        at, found = int(bucket.searchsorted(np.uint64(beginning << BYTE_BITS))), []
        while at < len(bucket) and (entry := int(bucket[at])) >> BYTE_BITS == beginning:
            byte = entry & int(BYTES)
            found.append((bisect_right(self._starts, byte) - 1, -byte))
            at += 1
        return [Spot(self._paths[n], -back - self._starts[n]) for n, back in sorted(found)]

    def spots_of_many(self, keys: Sequence[bytes]) -> tuple[list[tuple[int, str, int]], list[int]]:
        """Which keys have one record that may be theirs, each with its spot, as they are best read; and which several.

        Plain tuples: there may be millions.
        """
        self._sort_in()
        found = heads(np.frombuffer(b"".join(keys), np.uint64))
        single: list[Numbers] = [NOBODY]
        several: list[Numbers] = [NOBODY]
        entries: list[Entries] = [EMPTY]
        for bucket, chosen in by_bucket(found):
            wanted = smallest(found[chosen])
            first = np.searchsorted(self._buckets[bucket], wanted)
            count = np.searchsorted(self._buckets[bucket], wanted | BYTES, "right") - first
            several.append(chosen[count > 1])
            single.append(chosen[count == 1])
            entries.append(self._buckets[bucket][first[count == 1]])
        places = np.concatenate(entries) & BYTES
        order = np.argsort(places)
        starts = np.array(self._starts, np.uint64)
        segments = np.searchsorted(starts, places[order], "right") - 1
        offsets = (places[order] - starts[segments]).tolist()
        paths = map(self._paths.__getitem__, segments.tolist())
        asked = np.concatenate(single)[order].tolist()
        return list(zip(asked, paths, offsets, strict=True)), np.concatenate(several).tolist()


def heads(keys: NDArray[np.uint64]) -> Heads:
    """The first four bytes of each key, of which there are 32."""
    return np.ascontiguousarray(keys).view(">u4").reshape(-1, 8)[:, 0].astype(np.uint32)


def smallest(found: Heads) -> Entries:
    """The smallest entry that a key which begins so can have in its bucket."""
    return (found & np.uint32(0xFFFFFF)).astype(np.uint64) << np.uint64(BYTE_BITS)


def by_bucket(found: Heads) -> Iterator[tuple[int, Numbers]]:
    """Which of these keys belong in each bucket that gets any."""
    order = np.argsort(found >> np.uint32(24), kind="stable")
    bounds = np.searchsorted(found[order] >> np.uint32(24), np.arange(BUCKETS + 1))
    for bucket in np.flatnonzero(np.diff(bounds)).tolist():
        yield bucket, order[bounds[bucket] : bounds[bucket + 1]]
