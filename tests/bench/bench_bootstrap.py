"""How long 10,000 bootstrap replicates of every cell of LLMBar's Table 2 take: `python tests/bench/bench_bootstrap.py`.

The verdicts are made up (419 instances in the paper's five subsets, eight judges, three kinds of error): the time does
not depend on them. The goal is under one second for both readings together.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from plumbline.config import compose
from plumbline.declarations import Table
from plumbline.instances import Pair
from plumbline.measure import Bootstrap, Computing, Counts, Evidence
from plumbline.parquet import Row

CONFIG = Path(__file__).parents[2] / "config"
SIZES = {"natural": 100, "neighbor": 134, "gptinst": 92, "gptout": 47, "manual": 46}
WORDS = ["first"] * 8 + ["second"] * 8 + ["unparsed"]


def made_up(table: Table) -> Evidence:
    random.seed(20240424)
    pairs = [
        Pair(f"{subset}-{number}", subset, "", "", "", random.choice(["first", "second"]), "")
        for subset, size in SIZES.items()
        for number in range(size)
    ]
    protocols = {row.protocol for row in table.rows.values() if not row.waits.kinds}
    rows = [judged(pair, protocol, order) for protocol in protocols for pair in pairs for order in ("plain", "swapped")]
    return Evidence({"llmbar": pairs}, {("llmbar", "gpt_4"): Counts.of(rows)})


def judged(pair: Pair, protocol: str, order: str) -> Row:
    word = random.choice([*WORDS, *[pair.gold] * 40])
    said = {"as_published": word, "strict": word, "why": "", "close": False}
    return {"instance": pair.id, "subset": pair.subset, "gold": pair.gold, "protocol": protocol, "order": order} | said


def main() -> None:
    table = compose(CONFIG).table("llmbar", "table2")
    evidence = made_up(table)
    for replicates in (1_000, 10_000):
        start = time.perf_counter()
        cells = Computing(table, Bootstrap(20240424, replicates, 0.95), evidence).rows()
        seconds = time.perf_counter() - start
        built = sum(cell["value"] is not None for cell in cells)
        print(f"{built} cells x {replicates:6} replicates: {seconds:.3f} s, {seconds / built * 1e3:.2f} ms a cell")


if __name__ == "__main__":
    main()
