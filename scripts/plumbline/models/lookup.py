"""Where the records of a key may lie: eight bytes a record, however many the store holds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
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
BYTES = np.uint64((1 << BYTE_BITS) - 1)


class Spot(NamedTuple):
    """Where a record begins."""

    path: str
    offset: int


class KeyIndex:
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
        key_heads = heads(keys)
        self._new.append((key_heads, smallest(key_heads) | (offsets.astype(np.uint64) + np.uint64(self._starts[-1]))))
        self._new_count += len(key_heads)
        if self._new_count > SORTED_ABOVE:
            self._sort_in()

    def _sort_in(self) -> None:
        if not self._new:
            return
        key_heads, entries = (np.concatenate(arrays) for arrays in zip(*self._new, strict=True))
        self._new, self._new_count = [], 0
        for bucket, chosen in by_bucket(key_heads):
            grown = np.concatenate([self._buckets[bucket], entries[chosen]])
            grown.sort(kind="stable")  # quick where most is in order
            self._buckets[bucket] = grown

    def spots(self, key: bytes) -> list[Spot]:
        """Records that may be this key's: of the oldest segment first, and of one segment the latest first."""
        self._sort_in()
        bucket, least = self._buckets[key[0]], np.uint64(int.from_bytes(key[1:4], "big") << BYTE_BITS)
        first, last = bucket.searchsorted(least), bucket.searchsorted(least | BYTES, "right")
        by_segment: dict[int, list[int]] = {}
        for byte in (bucket[first:last] & BYTES).tolist():
            segment = bisect_right(self._starts, byte) - 1
            by_segment.setdefault(segment, []).append(byte - self._starts[segment])
        return [
            Spot(self._paths[segment], offset)
            for segment, offsets in by_segment.items()  # the oldest first, as entries are in order
            for offset in reversed(offsets)
        ]


def heads(keys: NDArray[np.uint64]) -> Heads:
    """The first four bytes of each key, of which there are 32."""
    return np.ascontiguousarray(keys).view(">u4").reshape(-1, 8)[:, 0].astype(np.uint32)


def smallest(key_heads: Heads) -> Entries:
    """The smallest entry that a key which begins so can have in its bucket."""
    return (key_heads & np.uint32(0xFFFFFF)).astype(np.uint64) << np.uint64(BYTE_BITS)


def by_bucket(key_heads: Heads) -> Iterator[tuple[int, Numbers]]:
    """Which of these keys belong in each bucket that gets any."""
    order = np.argsort(key_heads >> np.uint32(24), kind="stable")
    bounds = np.searchsorted(key_heads[order] >> np.uint32(24), np.arange(BUCKETS + 1))
    for bucket in np.flatnonzero(np.diff(bounds)).tolist():
        yield bucket, order[bounds[bucket] : bounds[bucket + 1]]
