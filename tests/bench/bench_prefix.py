"""How often a vLLM prefix cache reads the same block again, by its size: `python tests/bench/bench_prefix.py [PAIRS]`.

A real ask job over a counting engine in the place of vLLM: it takes the requests in the order in which vLLM would, by
the turns of the vLLM engine, a batch at a time, and keeps whole blocks of 16 tokens, the least recently used of which
go first. Printed are the blocks that are read over the unique ones (1: none is read twice), with the turns and without.
Tokens are short pieces of words: about as many as a tokenizer makes.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import re
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))
sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from plumbline.models.asking import CallPlace, Completion, Request
from plumbline.models.engines.vllm import VllmEngine
from plumbline.models.engines.weights import LanguageModel
from workload import judging, our_judge, some_instances, some_protocols

PROTOCOLS = (
    *("vanilla", "vanilla+rules", "cot", "cot+rules", "swap", "swap+rules"),
    *("metrics+rules", "reference+rules", "metrics_reference+rules"),
)
BLOCK = 16
CACHES = (1_000, 2_000, 4_000, 8_000, 25_000, 1_000_000)
"""Blocks of a cache. An 8B model leaves some 25,000 on a GPU of 80 GB, one of 70B on two of them some 5,000."""
BATCHES = (8, 64, 256)
PIECES = re.compile(r"\w{1,5}|\s*[^\w\s]|\s+(?=\w)")
WRITTEN = 40
"""Tokens that a free text takes, one a step."""
TARGET = 1.05


@dataclass
class PrefixCache:
    """Whole blocks by all tokens up to their end; those in use stay, the others go in the order of their last use."""

    size: int
    used: dict[int, int] = field(default_factory=dict)
    idle: OrderedDict[int, None] = field(default_factory=OrderedDict)
    seen: set[int] = field(default_factory=set)
    read: int = 0

    def take(self, blocks: Sequence[int]) -> bool:
        """Read what of a prompt is not there; whether there is room for it."""
        there = len([*itertools.takewhile(lambda block: block in self.used or block in self.idle, blocks)])
        needed = sum(block not in self.used for block in blocks)
        if self.used and len(self.used) + needed > self.size:
            return False
        for block in blocks:
            self.idle.pop(block, None)
            self.used[block] = self.used.get(block, 0) + 1
        while self.idle and len(self.used) + len(self.idle) > self.size:
            self.idle.popitem(last=False)
        self.read += len(blocks) - there
        self.seen.update(blocks)
        return True

    def leave(self, blocks: Sequence[int]) -> None:
        for block in reversed(blocks):
            self.used[block] -= 1
            if not self.used[block]:
                del self.used[block]
                self.idle[block] = None

    @property
    def again(self) -> float:
        """Blocks that were read, over the different ones."""
        return self.read / len(self.seen)


Waiting = tuple[int, int, list[int], int, "asyncio.Future[Completion]"]


class CountingEngine:
    """Answers at once, a step at a time, as vLLM's scheduler would."""

    stored = True

    def __init__(self, cache: PrefixCache, batch: int, turns: bool) -> None:
        self.cache, self.batch, self.turns = cache, batch, turns
        self.identity: Mapping[str, Any] = {"engine": "counting"}
        self._turns: dict[str, int] = {}
        self._begun, self._numbers = itertools.count(), itertools.count()
        self._waiting: list[Waiting] = []
        self._running: list[tuple[int, list[int], asyncio.Future[Completion]]] = []
        self._steps: asyncio.Task[None] | None = None

    async def answer(self, request: Request, place: CallPlace) -> Completion:
        turn = VllmEngine._turn(self, place.instance) if self.turns else 0  # type: ignore[arg-type]
        answered: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        steps = 1 if request.choices else min(WRITTEN, request.max_tokens)
        heapq.heappush(self._waiting, (turn, next(self._numbers), blocks_of(request), steps, answered))
        if self._steps is None:
            self._steps = asyncio.create_task(self._work())
        return await answered

    async def _work(self) -> None:
        while self._waiting or self._running:
            for _ in range(20):  # whatever follows from the last step is asked before the next
                await asyncio.sleep(0)
            while self._waiting and len(self._running) < self.batch and self.cache.take(self._waiting[0][2]):
                _, _, blocks, steps, answered = heapq.heappop(self._waiting)
                self._running.append((steps, blocks, answered))
            running, self._running = self._running, []
            for steps, blocks, answered in running:
                if steps > 1:
                    self._running.append((steps - 1, blocks, answered))
                else:
                    self.cache.leave(blocks)
                    answered.set_result(Completion(f"Therefore, Output (a) is better. {blocks[-1]}"))
        self._steps = None

    async def close(self) -> None:
        return None


def blocks_of(request: Request) -> list[int]:
    """The whole blocks of a prompt, each by a digest of all up to its end."""
    text = "".join(f"<|im_start|>{message.role}\n{message.content}<|im_end|>\n" for message in request.messages)
    pieces, blocks, before = PIECES.findall(text), list[int](), 0
    for start in range(0, len(pieces) - BLOCK + 1, BLOCK):
        before = hash((before, *pieces[start : start + BLOCK]))
        blocks.append(before)
    return blocks


def read_again(pairs: int, size: int, batch: int, turns: bool) -> PrefixCache:
    cache = PrefixCache(size)
    judge = our_judge(LanguageModel("Counting", "vllm"))
    with tempfile.TemporaryDirectory() as scratch:
        engine = CountingEngine(cache, batch, turns)
        job = judging(engine, judge, some_protocols(*PROTOCOLS), some_instances(pairs), Path(scratch) / "job")
        asyncio.run(job)
    return cache


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{pairs} pairs under {len(PROTOCOLS)} protocols: blocks read over unique blocks")
    print(f"{'batch':>6}{'cache':>11}{'by turns':>10}{'as they come':>14}")
    for batch, size in itertools.product(BATCHES, CACHES):
        ours, without = (read_again(pairs, size, batch, turns) for turns in (True, False))
        assert ours.seen == without.seen
        verdict = "" if ours.again <= TARGET else f"   over {TARGET}"
        print(f"{batch:6}{size:11,}{ours.again:10.3f}{without.again:14.3f}{verdict}", flush=True)
    print(f"{len(ours.seen):,} unique blocks")


if __name__ == "__main__":
    main()
