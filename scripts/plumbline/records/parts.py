"""Named parts of a file: what one job writes of several protocols, told apart for whoever reads only some of them.

A job says what parts its output has, and the output's manifest keeps a digest of each. A job that uses some parts of
an input records what those were in place of the whole file: the others may come, go and change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow.parquet as pq

from plumbline.records.files import digest_value

BATCH = 1024
"""Rows held at a time: a row may be a long vector."""
Parts = Mapping[str, str]
"""The digest of each part of a file, by the part's name."""


def parts_by(path: Path, column: str) -> dict[str, str]:
    """The rows of a Parquet file that have the same word in a column are a part; where others stand is no matter."""
    digests: dict[str, hashlib._Hash] = {}
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(BATCH):
            for row in batch.to_pylist():
                digests.setdefault(row[column], hashlib.sha256()).update(repr(row).encode())
    return {name: digests[name].hexdigest() for name in sorted(digests)}


def digest_of_used(parts: Parts, names: Iterable[str]) -> str:
    """What stands in a fingerprint for an input of which only these parts are used; one that lacks counts as such."""
    return digest_value([[name, parts.get(name, "")] for name in sorted(set(names))])
