"""Filling completion stores, and damaging them."""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import plumbline.models.segments
import plumbline.models.store
from plumbline.models.asking import Completion
from plumbline.models.store import Store

WRITER = """
import sys
from pathlib import Path
from plumbline.models.asking import Completion
from plumbline.models.store import Store
from hashlib import sha256
folder, name, count, batch = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with Store(folder, name) as store:
    for number in range(count):
        store.put(sha256(f"{name} {number}".encode()).hexdigest(), Completion(f"{name} {number}" * 20))
        if number % batch == batch - 1:
            store.flush()
            print(number + 1, flush=True)
"""


def key(name: object) -> str:
    return hashlib.sha256(str(name).encode()).hexdigest()


def put_all(store: Store, names: Iterable[str]) -> None:
    """Each name under the key of that name."""
    for name in names:
        store.put(key(name), Completion(name))


def filled(folder: Path, names: list[str], writer: str | None = None) -> Path:
    """The one segment of a writer that put each name under the key of that name."""
    before = set(folder.glob("*.segment"))
    with Store(folder, writer) as store:
        put_all(store, names)
    (segment,) = set(folder.glob("*.segment")) - before
    return segment


def without_index(segment: Path) -> Path:
    segment.with_suffix(".index").unlink()
    return segment


def flip(path: Path, at: int, mask: int = 0x40) -> None:
    with path.open("r+b") as handle:
        handle.seek(at)
        byte = handle.read(1)[0]
        handle.seek(at)
        handle.write(bytes([byte ^ mask]))


def texts(store: Store, names: list[str]) -> list[str | None]:
    completions = [store.get(key(name)) for name in names]
    return [completion.text if completion else None for completion in completions]


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """A disk that fills up: writing stops in the middle of what is written, then fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def start_writer(folder: Path, name: str, count: int, batch: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), name, str(count), str(batch)]
    scripts = str(Path(plumbline.models.store.__file__).parents[2])
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": scripts})
