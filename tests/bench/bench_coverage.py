"""How often 95 % intervals hold what was planted, over 2,000 worlds: `python tests/bench/bench_coverage.py [WORLDS]`.

93 to 97 % is as it should be. The last lines have few clusters, where percentile intervals are too narrow.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).parents[1] / "unit/measuring"))

from invented import instance, pair
from planted import TRUE, Answering, Failings, Raters, Rating, found_again, outcomes, pairs
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import Case

HOW = Bootstrap(seed=5, replicates=1000, level=0.95)
SWAYED = Failings(unparsed=0.06, refused=0.04, tie=0.1, first_shown=0.2, longer=0.15, wrong=0.15, label_noise=0.1)
RARE = Failings(unparsed=0.01, wrong=0.02)
SHARES = (0.5, 0.9)
"""How often a judge is right on an instruction, of two kinds."""
BATCH = 100
"""So many worlds are in memory at a time."""
World = Callable[[str, int, np.random.Generator], Iterator[Case]]


def clustered(clusters: int) -> World:
    """Pairs in clusters of ten that share an instruction, on which the judge is good or bad."""

    def world(seed: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        kinds = random.choice(SHARES, size=clusters)
        for number in range(clusters * 10):
            right = bool(random.random() < kinds[number // 10])
            about = replace(instance(number, seed), instruction=f"Do {number // 10}")
            yield pair(about, ("first", *(("first", "first") if right else ("second", "second"))))

    return world


def coverage(world: World, n: int, true: dict[str, float], worlds: int, cluster: str = "") -> dict[str, float]:
    found = dict.fromkeys(true, 0.0)
    for start in range(0, worlds, BATCH):
        seeds = [str(seed) for seed in range(start, min(start + BATCH, worlds))]
        cases = (case for seed in seeds for case in world(seed, n, np.random.default_rng(int(seed))))
        for name, share in found_again(cases, seeds, true, HOW, cluster).items():
            found[name] += share * len(seeds) / worlds
    return found


def main() -> None:
    worlds = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    of_pairs = {
        title: {name: value(outcomes(failings)) for name, value in TRUE.items()}
        for title, failings in (("swayed", SWAYED), ("rare", RARE))
    }
    cases: list[tuple[str, World, int, dict[str, float], str]] = [
        ("pairs, 200", lambda s, n, r: pairs(SWAYED, s, n, r), 200, of_pairs["swayed"], ""),
        (
            "rare failures, 200",
            lambda s, n, r: pairs(RARE, s, n, r),
            200,
            {"unparsed": of_pairs["rare"]["unparsed"]},
            "",
        ),
        ("answers, 200", Answering().cases, 200, Answering().true, ""),
        ("four raters, 200", Raters().cases, 200, Raters().true, ""),
        ("ratings, 200", Rating().cases, 200, Rating().true, ""),
        ("ratings, 30", Rating().cases, 30, Rating().true, ""),
        *((f"{c} clusters of 10", clustered(c), 0, {"acc": sum(SHARES) / 2}, "instruction") for c in (100, 75, 20)),
        ("20 clusters of 10, not clustered", clustered(20), 0, {"acc": sum(SHARES) / 2}, ""),
    ]
    for title, world, n, true, cluster in cases:
        start = time.perf_counter()
        found = coverage(world, n, true, worlds, cluster)
        listed = ", ".join(f"{name} {100 * share:.1f}" for name, share in found.items())
        print(f"{title}: {listed} % ({time.perf_counter() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
