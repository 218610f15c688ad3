"""How long `plumbline compare` takes to answer: 25,000 pairs with the verdicts of four judges, 100,000 in all.

Beside it what a loop takes that reads the file and counts who agrees, with nothing kept and no interval.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAIRS, SYSTEMS = 25_000, [f"system-{letter}" for letter in "abcdef"]
RIGHT = {"j1": 0.8, "j2": 0.75, "j3": 0.7, "j4": 0.55}
WORDS = ["answer", "because", "code", "explain", "list", "long", "question", "short", "summary", "value", "write"]
LIMIT = 20.0
"""Seconds on two cores."""


def write(path: Path) -> None:
    rng = random.Random(1)

    def text(fewest: int, most: int) -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(fewest, most)))

    with path.open("w", encoding="utf-8") as file:
        for number in range(PAIRS):
            one, other = rng.sample(SYSTEMS, 2)
            better, worse = rng.sample("AB", 2)
            row = {"id": f"p{number}", "prompt": f"Question {number}: {text(20, 20)}", "model_a": one, "model_b": other}
            row |= {"output_a": text(10, 80), "output_b": text(10, 80), "winner": better}
            row |= {judge: better if rng.random() < right else worse for judge, right in RIGHT.items()}
            file.write(json.dumps(row) + "\n")


def bare(path: Path) -> dict[str, float]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {judge: 100 * sum(row[judge] == row["winner"] for row in rows) / len(rows) for judge in RIGHT}


def compare(path: Path, *words: str) -> tuple[float, float]:
    """Seconds and CPU seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    asked = ["plumbline", "compare", str(path), "--no-report", "--json", "--cores", str(os.cpu_count()), *words]
    subprocess.run(asked, cwd=path.parent, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        write(path)
        start = time.perf_counter()
        agreement = bare(path)
        counted = time.perf_counter() - start
        for name in ("from nothing", "once more"):
            seconds, cpu = compare(path)
            within = "yes" if seconds < LIMIT else "NO"
            times = f"{seconds:7.1f} s{cpu:7.1f} CPU s{seconds / counted:8.0f} x the loop"
            print(f"{name:14}{times}   in {LIMIT:g} s: {within}")
        data = json.loads((Path(folder) / "plumbline/compare.json").read_text(encoding="utf-8"))
        for judge in data["judges"]:
            assert abs(judge["agreement"]["value"] - agreement[judge["judge"]]) < 1e-9, judge


if __name__ == "__main__":
    sys.exit(main())
