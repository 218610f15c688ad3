"""How far the neighbour search is from its bare products: `python tests/bench/bench_neighbours.py [COUNT [WIDTH]]`.

Prints both times of one run, their ratio and the peak of memory; exits 1 above a ratio of 1.5 or 1 GB.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from plumbline.derive.neighbours import CPU_TILE, Matrix, nearest_below

CLUSTER = 20
CEILINGS = (0.95, 0.5)
"""Above which little lies, and above which all that is near lies."""


def clustered(count: int, width: int) -> Matrix:
    """Unit vectors in clusters, as instructions come: near ones, and many that are far."""
    random = np.random.default_rng(20240424)
    centres = random.standard_normal((-(-count // CLUSTER), width), dtype=np.float32)
    vectors = np.repeat(centres, CLUSTER, axis=0)[:count]
    for start in range(0, count, CPU_TILE):
        block = vectors[start : start + CPU_TILE]
        block += 0.6 * random.standard_normal(block.shape, dtype=np.float32)
        block /= np.linalg.norm(block, axis=1, keepdims=True)
    return random.permutation(vectors)


def bare_products(vectors: Matrix) -> None:
    """Every similarity once, and nothing done with it."""
    for start in range(0, len(vectors), CPU_TILE):
        for other in range(0, len(vectors), CPU_TILE):
            vectors[start : start + CPU_TILE] @ vectors[other : other + CPU_TILE].T


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """On the clock, and of all cores together."""
    clock, cores = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - cores


def main(count: int = 52_000, width: int = 768) -> bool:
    """Each search is held against the products before and after it: other work on the machine slows both."""
    vectors = clustered(count, width)
    before = seconds(lambda: bare_products(vectors))
    print(f"{count} x {width}: bare products {before[0]:.1f} s")
    worst = 0.0
    for ceiling in CEILINGS:
        ours = seconds(lambda ceiling=ceiling: nearest_below(vectors, ceiling, device="numpy"))
        after = seconds(lambda: bare_products(vectors))
        clock, cores = (2 * ours[kind] / (before[kind] + after[kind]) for kind in (0, 1))
        print(f"search below {ceiling}: {ours[0]:.1f} s, ratio {clock:.2f} (of processor time {cores:.2f})")
        print(f"bare products again: {after[0]:.1f} s")
        before, worst = after, max(worst, clock)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")
    return worst <= 1.5 and peak <= 1000


if __name__ == "__main__":
    sys.exit(not main(*map(int, sys.argv[1:])))
