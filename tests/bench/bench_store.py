"""How fast the completion store is: `python tests/bench/bench_store.py [COUNT]`, a million completions by default."""

from __future__ import annotations

import gc
import hashlib
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from plumbline.models.asking import Completion
from plumbline.models.segments import pack
from plumbline.models.store import Store

SEGMENTS = 300


def key_of(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def completion_of(number: int) -> Completion:
    text = f"Output ({'ab'[number % 2]}) " + "because it does what was asked. " * (1 + number % 6)
    return Completion(text[: 40 + number % 160], prompt_tokens=400 + number % 90, completion_tokens=12)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def append(folder: Path, keys: list[str], completions: list[Completion]) -> None:
    with Store(folder) as store:
        for key, completion in zip(keys, completions, strict=True):
            store.put(key, completion)
        store.flush()


def append_in_jobs(folder: Path, keys: list[str], completions: list[Completion]) -> None:
    share = -(-len(keys) // SEGMENTS)
    for first in range(0, len(keys), share):
        append(folder, keys[first : first + share], completions[first : first + share])


def write_barely(path: Path, records: list[bytes]) -> None:
    with path.open("wb") as handle:
        for record in records:
            handle.write(record)
        handle.flush()
        os.fsync(handle.fileno())


def look_up(folder: Path, keys: list[str]) -> None:
    store = Store(folder)
    if not all(store.get(key) for key in keys):
        raise SystemExit("a completion was lost")


def without_indexes(folder: Path) -> Path:
    for index in folder.glob("*.index"):
        index.unlink()
    return folder


def measure(folder: Path, count: int) -> list[tuple[str, str]]:
    keys = [key_of(number) for number in range(count)]
    completions = [completion_of(number) for number in range(count)]
    records = [pack(bytes.fromhex(key), completion) for key, completion in zip(keys, completions, strict=True)]
    shuffled = random.Random(1).sample(keys, count)
    gc.freeze()  # the millions of objects made here are not the store's to look through
    one, jobs = folder / "one", folder / "jobs"
    bare = min(seconds(lambda: write_barely(folder / "bare", records)) for _ in range(3))
    appended = seconds(lambda: append(one, keys, completions))
    append_in_jobs(jobs, keys, completions)
    opened = min(seconds(lambda: Store(one)) for _ in range(3))
    opened_jobs = min(seconds(lambda: Store(jobs)) for _ in range(3))
    looked_up = seconds(lambda: look_up(one, shuffled)) - opened
    looked_up_jobs = seconds(lambda: look_up(jobs, shuffled)) - opened_jobs
    scanned = seconds(lambda: Store(without_indexes(one)))
    size = sum(map(len, records))
    return [
        ("completions, and bytes of each", f"{count:,}, {size / count:.0f}"),
        ("appended", f"{count / appended:,.0f} /s"),
        ("appended by a bare loop", f"{count / bare:,.0f} /s"),
        ("ratio of the two", f"{appended / bare:.1f}"),
        ("opened, one segment", f"{opened:.2f} s"),
        (f"opened, {SEGMENTS} segments", f"{opened_jobs:.2f} s"),
        ("opened, one segment without its index", f"{scanned:.2f} s"),
        ("looked up", f"{looked_up:.1f} s, {count / looked_up:,.0f} /s"),
        (f"looked up, {SEGMENTS} segments", f"{looked_up_jobs:.1f} s, {count / looked_up_jobs:,.0f} /s"),
    ]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        for what, figure in measure(Path(folder), count):
            print(f"{what:40} {figure:>24}")


if __name__ == "__main__":
    main()
