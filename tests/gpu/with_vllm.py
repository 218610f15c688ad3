"""What `measure` needs, from the vLLM engine on random weights in a folder, and from `LLM.chat` alone."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from plumbline.models.asking import CallPlace, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines.vllm import VllmEngine
from plumbline.models.engines.vllm_settings import Serving
from plumbline.models.engines.vllm_settings import Settings as VllmSettings
from plumbline.models.engines.weights import LanguageModel
from shapes import write_model
from vllm import LLM, SamplingParams
from vllm.sampling_params import StructuredOutputsParams


class WithVllm:
    """The vLLM engine, on the GPU or with a CPU build of vLLM."""

    name = "vllm"
    prefix_cache = "vLLM's own, from an empty cache"
    can_be_invariant = torch.cuda.is_available()

    def __init__(self, shape: str, folder: Path) -> None:
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.dtype = torch.bfloat16 if self.device == "cuda" else torch.float32
        os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
        self.folder = write_model(folder / "model", shape, self.device, self.dtype)
        torch.cuda.empty_cache()
        self.model = LanguageModel(
            "Random", "vllm", repository=str(self.folder), dtype=self.number_format, context=4096
        )

    @property
    def number_format(self) -> Any:
        return str(self.dtype).removeprefix("torch.")

    def engine(self, batch: int, invariant: bool = False, prefix_cache: bool = True) -> VllmEngine:
        serving = Serving(eager=self.device == "cpu", prefix_cache=prefix_cache)
        settings = VllmSettings("vllm", batch=batch, serving=serving, batch_invariant=invariant)
        return VllmEngine(self.model, settings, EngineContext((), (), 0, self.folder.parent))

    def bare(self, requests: Sequence[Request], batch: int) -> float:
        return chat_rate(self.folder, requests, self.model, eager=self.device == "cpu", max_num_seqs=batch)

    def prefix(self, requests: Sequence[Request], batch: int) -> tuple[float, float]:
        """Prompts a second without and with the prefix cache."""
        without, served = (asyncio.run(self._rate(requests, batch, cached)) for cached in (False, True))
        return without, served

    async def _rate(self, requests: Sequence[Request], batch: int, prefix_cache: bool) -> float:
        engine = self.engine(batch, prefix_cache=prefix_cache)
        try:
            seconds = []
            for _ in range(2):  # the first time is slow for reasons of its own
                await (await engine.running()).engine.reset_prefix_cache()
                began = time.perf_counter()
                places = (CallPlace(str(number), "", "", "") for number in range(len(requests)))
                await asyncio.gather(*map(engine.answer, requests, places))
                seconds.append(time.perf_counter() - began)
            return len(requests) / min(seconds)
        finally:
            await engine.close()


def chat_rate(
    folder: Path, requests: Sequence[Request], model: LanguageModel, eager: bool = True, **arguments: Any
) -> float:
    """`LLM.chat` over all prompts at once: choices by structured output with log-probabilities, else text."""
    llm = LLM(str(folder), dtype=model.dtype, max_model_len=model.context, enforce_eager=eager, **arguments)
    chats = [[{"role": each.role, "content": each.content} for each in request.messages] for request in requests]
    wanted = [params(request) for request in requests]
    llm.chat(chats[:4], wanted[:4], use_tqdm=False)
    seconds = []
    for _ in range(2):
        llm.reset_prefix_cache()
        began = time.perf_counter()
        llm.chat(chats, wanted, use_tqdm=False)
        seconds.append(time.perf_counter() - began)
    del llm
    gc.collect()
    return len(requests) / min(seconds)


def params(request: Request) -> SamplingParams:
    choice = StructuredOutputsParams(choice=list(request.choices)) if request.choices else None
    return SamplingParams(
        temperature=0,
        max_tokens=request.max_tokens,
        structured_outputs=choice,
        logprobs=len(request.choices) or None,
    )
