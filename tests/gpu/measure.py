"""Judging on a GPU, measured: our job against the bare engine, prefix cache, flips between batch sizes.

    PYTHONPATH=scripts python3 tests/gpu/measure.py --out DIR [--tiny] [--pairs 288]

Takes vLLM where it is installed, else transformers through the embedded engine. The model is random: an 8B Llama's
shape, or with `--tiny` two small layers. So nothing is fetched; but verdicts hang on smaller margins than a real
model's, and flips are as many as they can get.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import torch
import transformers
from plumbline.models.asking import CallPlace, Completion, Engine, Message, Request
from plumbline.models.engines.weights import LanguageModel
from with_transformers import WithTransformers
from workload import Held, Outcome, judging, our_judge, some_instances, some_protocols

BATCH = 64
BATCHES = (1, 8, 64)
COMPARED, TEXTS = 72, 16
"""Pairs whose verdicts, and whose written metrics, are compared between batch sizes."""
Table = list[dict[str, str]]


class Measurement:
    """One subject, one workload, and the tables that come of them."""

    def __init__(self, subject: Any, pairs: int, folder: Path) -> None:
        self.subject, self.folder, self.pairs = subject, folder, some_instances(pairs)
        self.judge = our_judge(LanguageModel("Random", "embedded"))
        self.runs = 0

    async def job(self, engine: Engine, protocols: Sequence[str], pairs: int) -> Outcome:
        self.runs += 1
        folder = self.folder / f"run{self.runs}"
        return await judging(Held(engine), self.judge, some_protocols(*protocols), self.pairs[:pairs], folder)

    def throughput(self) -> Table:
        """The job asks four choices a pair; before it a small one lets the device come to speed."""
        job = asyncio.run(self._throughput())
        self.requests = [call.request for call in job.asked]
        bare = self.subject.bare(self.requests, BATCH)
        tokens = statistics.mean(call.completion.prompt_tokens or 0 for call in job.asked)
        return [
            {"what": "prompts asked (choices)", "value": f"{len(job.asked):,} of {tokens:.0f} tokens on average"},
            {"what": "bare engine", "value": f"{bare:,.1f} prompts/s"},
            {"what": "our judge job", "value": f"{job.rate:,.1f} prompts/s"},
            {"what": "our job / bare engine", "value": f"{job.rate / bare:.2f}"},
        ]

    async def _throughput(self) -> Outcome:
        engine = self.subject.engine(BATCH)
        try:
            for_warmth = some_instances(len(self.pairs) + BATCH // 4)[len(self.pairs) :]
            folder = self.folder / "warm"
            await judging(Held(engine), self.judge, some_protocols("vanilla", "vanilla+rules"), for_warmth, folder)
            return await self.job(engine, ("vanilla", "vanilla+rules"), len(self.pairs))
        finally:
            await engine.close()

    def prefix(self) -> Table:
        ruled = [request for request in self.requests if "How to decide" in request.written]
        off, on = self.subject.prefix(ruled, BATCH)
        return [
            {"what": "prefix cache", "value": self.subject.prefix_cache},
            {"what": "off", "value": f"{off:,.1f} prompts/s"},
            {"what": "on", "value": f"{on:,.1f} prompts/s"},
            {"what": "on / off", "value": f"{on / off:.2f}"},
        ]

    def flips(self) -> Table:
        """Verdicts and texts at each batch size, beside those of the largest."""
        rows: Table = []
        for invariant in (False, True) if self.subject.can_be_invariant else (False,):
            found = {batch: asyncio.run(self._answers(batch, invariant)) for batch in BATCHES}
            for batch in BATCHES[:-1]:
                row = {"batch-invariant": "on" if invariant else "off", "batch sizes": f"{batch} and {BATCHES[-1]}"}
                rows.append(row | compared(found[batch], found[BATCHES[-1]]))
        return rows

    async def _answers(self, batch: int, invariant: bool) -> list[Completion]:
        engine = self.subject.engine(batch, invariant=invariant)
        try:
            choices = await self.job(engine, ("vanilla", "vanilla+rules"), COMPARED)
            texts = await self.job(engine, ("metrics",), TEXTS)
        finally:
            await engine.close()
        wanted = [*choices.asked, *(call for call in texts.asked if call.place.step == "metrics")]
        return [call.completion for call in wanted]


def compared(some: Sequence[Completion], others: Sequence[Completion]) -> dict[str, str]:
    pairs = list(zip(some, others, strict=True))
    choices = [(a, b) for a, b in pairs if a.logprobs]
    texts = [(a, b) for a, b in pairs if not a.logprobs]
    margins = [(a.logprobs[0] - a.logprobs[1], b.logprobs[0] - b.logprobs[1]) for a, b in choices]
    moved = max(abs(x - y) for x, y in margins)
    median = statistics.median(abs(x) for x, _ in margins)
    return {
        "verdicts flipped": f"{sum(a.text != b.text for a, b in choices)} of {len(choices)}",
        "margin moved by at most": f"{moved:.4f} nat (median margin {median:.3f})",
        "greedy texts changed": f"{sum(a.text != b.text for a, b in texts)} of {len(texts)}",
    }


def agreement(subject: WithTransformers) -> Table:
    """A small model loaded from a folder as any model is, on this device and computed beside it on the CPU."""
    request = Request((Message("user", "Which is better?"),), choices=("Output (a)", "Output (b)"))
    scored = Request((Message("user", "Say something."),), scored="The answer is as good as any other.")
    expected = asyncio.run(ask(subject.on_cpu(), [request, scored]))
    rows = []
    for dtype in ("float32", "bfloat16"):
        found = asyncio.run(ask(subject.loaded(dtype), [request, scored]))
        pairs = zip(expected, found, strict=True)
        apart = max(abs(x - y) for a, b in pairs for x, y in zip(a.logprobs, b.logprobs, strict=True))
        rows.append({"what": f"{dtype} on {subject.device} against float32 on cpu", "value": f"{apart:.4f} nat"})
    return rows


async def ask(engine: Engine, requests: Sequence[Request]) -> list[Completion]:
    place = CallPlace("", "", "", "")
    try:
        return list(await asyncio.gather(*(engine.answer(request, place) for request in requests)))
    finally:
        await engine.close()


def setup(args: argparse.Namespace, subject: Any, shape: str) -> Table:
    cuda = torch.cuda.is_available()
    return [
        {"what": "device", "value": torch.cuda.get_device_name() if cuda else f"CPU ({platform.machine()})"},
        {"what": "engine", "value": subject.name},
        {"what": "model", "value": f"random weights, shape {shape}, {str(subject.dtype).removeprefix('torch.')}"},
        {"what": "torch, transformers", "value": f"{torch.__version__}, {transformers.__version__}"},
        {"what": "pairs", "value": str(args.pairs)},
    ]


def markdown(title: str, rows: Table, seconds: float) -> str:
    columns = list(rows[0])
    lines = [f"### {title}", "", " | ".join(["", *columns, ""]).strip(), "|" + "---|" * len(columns)]
    lines += [" | ".join(["", *(row[column] for column in columns), ""]).strip() for row in rows]
    return "\n".join([*lines, "", f"(took {seconds:.0f} s)", ""])


def main() -> None:
    args = arguments()
    shape = "tiny" if args.tiny else "8b"
    args.out.mkdir(parents=True, exist_ok=True)
    report = args.out / "measured.md"
    report.write_text("")
    with tempfile.TemporaryDirectory() as scratch:
        subject = open_subject(shape, Path(scratch))
        measurement = Measurement(subject, args.pairs, Path(scratch))
        parts: dict[str, Callable[[], Table]] = {
            "Setup": lambda: setup(args, subject, shape),
            **({"Scores": lambda: agreement(subject)} if isinstance(subject, WithTransformers) else {}),
            "Throughput": measurement.throughput,
            "Prefix cache": measurement.prefix,
            "Flips between batch sizes": measurement.flips,
        }
        for title, measure in parts.items():
            began = time.perf_counter()
            rows = measure()
            text = markdown(title, rows, time.perf_counter() - began)
            print(text, flush=True)
            with report.open("a") as file:
                file.write(text + "\n")


def open_subject(shape: str, folder: Path) -> Any:
    if importlib.util.find_spec("vllm"):
        from with_vllm import WithVllm

        return WithVllm(shape, folder)
    print("vLLM is not installed here: measured with transformers and torch, through the embedded engine.\n")
    return WithTransformers(shape, folder)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for measured.md")
    parser.add_argument("--tiny", action="store_true", help="two small layers instead of the 8B shape")
    parser.add_argument("--pairs", type=int, default=288, help="pairs of the throughput job, four prompts each")
    return parser.parse_args()


if __name__ == "__main__":
    main()
