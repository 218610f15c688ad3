"""What `measure` needs, from the embedded engine on a random model in memory, and from transformers alone."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from plumbline.models.asking import Request
from plumbline.models.engines.chat import Chat
from plumbline.models.engines.embedded import EmbeddedEngine, LoadedModel
from plumbline.models.engines.embedded import Settings as EmbeddedSettings
from plumbline.models.engines.forward import ForwardModel
from plumbline.models.engines.weights import LanguageModel
from shapes import random_model, write_model

Ids = list[int]


class WithTransformers:
    """The embedded engine, on the GPU where there is one."""

    name = "embedded (transformers)"
    prefix_cache = "none of its own: what all prompts share was read once, by hand"
    can_be_invariant = False

    def __init__(self, shape: str, folder: Path) -> None:
        transformers.utils.logging.disable_progress_bar()
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.dtype = torch.bfloat16 if self.device == "cuda" else torch.float32
        self.small = write_model(folder / "small", "tiny", "cpu", torch.float32)
        self.model = random_model(shape, self.device, self.dtype)
        self.tokenizer: Any = self._engine(1, "float32").ready().chat.tokenizer

    def engine(self, batch: int, invariant: bool = False) -> EmbeddedEngine:
        """The engine as it is, but with the random model in the place of the small one that it found."""
        return self._with(self.model, batch)

    def loaded(self, dtype: str) -> EmbeddedEngine:
        """The engine on a small model from a folder, loaded all the way onto the device."""
        return self._engine(8, dtype)

    def on_cpu(self) -> EmbeddedEngine:
        return self._with(transformers.AutoModelForCausalLM.from_pretrained(self.small, dtype=torch.float32), 8)

    def _with(self, model: Any, batch: int) -> EmbeddedEngine:
        engine = self._engine(batch, "float32")
        engine._loaded = LoadedModel(ForwardModel(model, batch), Chat(self.tokenizer))
        return engine

    def _engine(self, batch: int, dtype: Any) -> EmbeddedEngine:
        model = LanguageModel("Random", "embedded", repository=str(self.small), dtype=dtype, context=8192)
        return EmbeddedEngine(model, EmbeddedSettings("embedded", batch=batch), os.cpu_count() or 1, self.small.parent)

    def bare(self, requests: Sequence[Request], batch: int) -> float:
        """Prompts a second of transformers alone: the template, batches of like length, one pass, one token."""
        return self._rate([self._ids(request) for request in requests], batch, 0)

    def prefix(self, requests: Sequence[Request], batch: int) -> tuple[float, float]:
        """Prompts a second with every prompt read whole, and with what they all begin with read once."""
        prompts = [self._ids(request) for request in requests]
        shared = common(prompts)
        return self._rate(prompts, batch, 0), self._rate(prompts, batch, shared)

    def _rate(self, prompts: Sequence[Ids], batch: int, shared: int) -> float:
        self._read(prompts[:batch], shared)  # the first pass compiles and allocates
        began = time.perf_counter()
        ordered = sorted(prompts, key=len, reverse=True)
        for at in range(0, len(ordered), batch):
            self._read(ordered[at : at + batch], shared)
        return len(prompts) / (time.perf_counter() - began)

    def _read(self, prompts: Sequence[Ids], shared: int) -> list[float]:
        """The greatest log-probability after each prompt; padding stands to the right, where no token looks."""
        longest = max(map(len, prompts))
        rows = self._tensor([[*ids[shared:], *[0] * (longest - len(ids))] for ids in prompts])
        lasts = self._tensor([len(ids) - 1 - shared for ids in prompts])
        wanted, places = lasts.unique(return_inverse=True)
        with torch.inference_mode():
            cache = None
            if shared:
                head = self._tensor([prompts[0][:shared]])
                cache = self.model(input_ids=head, use_cache=True, logits_to_keep=1).past_key_values
                cache.batch_repeat_interleave(len(prompts))
            logits = self.model(
                input_ids=rows, past_key_values=cache, use_cache=bool(shared), logits_to_keep=wanted
            ).logits
            own = logits[torch.arange(len(prompts), device=self.device), places]
            values: list[float] = own.float().log_softmax(-1).amax(-1).tolist()
            return values

    def _ids(self, request: Request) -> Ids:
        turns = [{"role": message.role, "content": message.content} for message in request.messages]
        text = self.tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
        return list(self.tokenizer.encode(text, add_special_tokens=False))

    def _tensor(self, values: Sequence[Any]) -> Any:
        return torch.tensor(values, device=self.device)


def common(rows: Sequence[Ids]) -> int:
    """How many tokens all begin with."""
    return next((place for place, tokens in enumerate(zip(*rows, strict=False)) if len(set(tokens)) > 1), 0)
