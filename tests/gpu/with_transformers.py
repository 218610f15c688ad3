"""The embedded engine on one random model in memory, and transformers alone on the same prompts."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from plumbline import schema
from plumbline.asking import Request
from plumbline.engines.chat import Chat
from plumbline.engines.embedded import EmbeddedEngine, Loaded
from plumbline.engines.network import Network
from shapes import random_model, write_model


class WithTransformers:
    """What `measure` asks of an engine, answered by the embedded one."""

    name = "embedded engine (transformers)"
    can_be_invariant = False

    def __init__(self, shape: str, folder: Path) -> None:
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.folder = write_model(folder / "model", "tiny", "cpu", torch.float32)
        dtype = torch.bfloat16 if self.device == "cuda" else torch.float32
        self.model = random_model(shape, self.device, dtype)
        self.chat = Chat(self.engine(1)._ready().chat.tokenizer)

    def engine(self, batch: int, prefix: bool = True, invariant: bool = False) -> EmbeddedEngine:
        """The engine as configured, but with the random model in the place of the weights it found."""
        model = schema.Model("Random", "embedded", repository=str(self.folder), context=8192)
        engine = EmbeddedEngine(model, schema.Engine("embedded", batch=batch), threads=0, cache=self.folder)
        tokenizer = engine._load().chat.tokenizer
        engine._loaded = Loaded(Network(self.model, batch), Chat(tokenizer))
        return engine

    def bare(self, requests: Sequence[Request], batch: int) -> float:
        """Seconds in which transformers alone tells the first token of each answer: template, batches, one pass."""
        began = time.perf_counter()
        ids = [self._ids(request) for request in requests]
        for part in parts(sorted(ids, key=len, reverse=True), batch):
            longest = len(part[0])
            rows = [[*row, *[0] * (longest - len(row))] for row in part]
            lasts = torch.tensor([len(row) - 1 for row in part], device=self.device)
            with torch.inference_mode():
                wanted, places = lasts.unique(return_inverse=True)
                tensor = torch.tensor(rows, device=self.device)
                logits = self.model(input_ids=tensor, use_cache=False, logits_to_keep=wanted).logits
                logits[torch.arange(len(part), device=self.device), places].float().log_softmax(-1).max(-1)[0].tolist()
        return time.perf_counter() - began

    def prefixed(self, requests: Sequence[Request], batch: int) -> float:
        """The same where the beginning that all prompts share is read once: what a prefix cache saves at least."""
        began = time.perf_counter()
        ids = sorted((self._ids(request) for request in requests), key=len, reverse=True)
        shared = common(ids)
        for part in parts(ids, batch):
            with torch.inference_mode():
                head = torch.tensor([part[0][:shared]], device=self.device)
                cache = self.model(input_ids=head, use_cache=True, logits_to_keep=1).past_key_values
                cache.batch_repeat_interleave(len(part))
                longest = len(part[0])
                rows = [[*row[shared:], *[0] * (longest - len(row))] for row in part]
                lasts = torch.tensor([len(row) - 1 - shared for row in part], device=self.device)
                wanted, places = lasts.unique(return_inverse=True)
                tensor = torch.tensor(rows, device=self.device)
                logits = self.model(input_ids=tensor, past_key_values=cache, logits_to_keep=wanted).logits
                logits[torch.arange(len(part), device=self.device), places].float().log_softmax(-1).max(-1)[0].tolist()
        return time.perf_counter() - began

    def _ids(self, request: Request) -> list[int]:
        turns = [{"role": message.role, "content": message.content} for message in request.messages]
        tokenizer = self.chat.tokenizer
        text = tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
        return list(tokenizer.encode(text, add_special_tokens=False))
