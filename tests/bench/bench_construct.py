"""How fast the verifiable sets are made: `python tests/bench/bench_construct.py [COUNT]`, 10,000 pairs by default."""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from plumbline.config.construct import Construct
from plumbline.derive.candidates import write_candidates
from plumbline.derive.making import Making, candidates
from plumbline.derive.material import Material
from plumbline.derive.pools import Item
from plumbline.derive.strategy import construct_of

POOL = Path(__file__).parents[2] / "config/pool/demo.jsonl"
SECONDS = 60.0
"""What 10,000 pairs may take."""


def wording(name: str, **values: object) -> str:
    return f"{name}: {values}"


def compared(count: int) -> list[Item]:
    """Two different texts an item, put together from the sentences of the embedded pool."""
    pool = [json.loads(line)["output"] for line in POOL.open()]
    draw = random.Random(1)
    return [
        Item(
            f"i{n}", "p", f"Instruction {n}", " ".join(draw.sample(pool, 3)), draw.choice(pool), "first", f"f#{n}", True
        )
        for n in range(count)
    ]


def declared(strategy: str, **options: object) -> Construct:
    return construct_of({"title": "", "strategy": strategy, **options}, "construct")


def measure(name: str, made_as: Construct, items: list[Item], count: int, folder: Path) -> float:
    start = time.perf_counter()
    made = [one for one in candidates(Making(made_as, Material(wording, items))) if not one.dropped]
    write_candidates(folder / f"{name}.parquet", made[:count])
    seconds = time.perf_counter() - start
    if len(made) < count:
        raise SystemExit(f"{name}: only {len(made)} pairs")
    print(f"{name:<12} {len(made):>7,} pairs  {seconds:6.2f} s  {len(made) / seconds:>8,.0f} pairs/s")
    return seconds


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        slowest = max(
            measure("constraint", declared("constraint", pools=["p"]), compared(-(-count // 8)), count, folder),
            measure("base 9", declared("addition", base=9, digits=3, size=count), [], count, folder),
            measure("base 10", declared("addition", base=10, digits=3, size=count), [], count, folder),
        )
    if slowest > SECONDS * count / 10_000:
        raise SystemExit(f"too slow: {slowest:.1f} s for {count:,} pairs")


if __name__ == "__main__":
    main()
