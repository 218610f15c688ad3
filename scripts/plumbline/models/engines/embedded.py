"""A model on this machine: weights from a package, a folder or the hub, run by transformers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.config.parts import Speed
from plumbline.config.typed import Count, Positive
from plumbline.models.asking import Completion, Place, Request
from plumbline.models.engines.chat import Chat
from plumbline.models.engines.convert import convert, folder_of, template_digest
from plumbline.models.engines.reading import Job, answer_all, batches, job_of
from plumbline.models.engines.weights import (
    digest_of_weights,
    embedded_format,
    identity_of,
    locate,
    missing_libraries,
)
from plumbline.models.kinds import engine
from plumbline.models.session import EngineContext

if TYPE_CHECKING:
    from plumbline.models.engines.forward import ForwardModel

GATHERING = 0.01
"""Seconds to wait after the first ask, so that those asked with it are read together."""


@dataclass(frozen=True)
class Reads(Speed):
    """How prompts are read."""

    batch: Positive = 8
    """How many prompts are read at a time."""
    threads: Count = 0
    """CPU threads (0: as many as the job was given)."""


@dataclass(frozen=True)
class Settings(Reads, EngineSettings):
    """Nothing that changes an answer."""


@dataclass(frozen=True)
class Waiting:
    """A request and whoever waits for its answer."""

    request: Request
    answer: asyncio.Future[Completion]


@dataclass(frozen=True)
class Loaded:
    """What is in memory once the first answer is needed."""

    network: ForwardModel
    chat: Chat


class EmbeddedEngine:
    """Reads the requests that wait together in batches of like length, in a thread of its own.

    Nothing heavy is imported or loaded before the first answer is needed.
    """

    stored = True

    def __init__(self, model: Model, settings: Settings, threads: int, cache: Path) -> None:
        self.model = model
        self.batch = settings.batch
        self.threads = settings.threads or threads
        self.weights = locate(model)
        self.dtype = embedded_format(model.dtype)
        digest = digest_of_weights(self.weights, cache)
        self.folder = folder_of(self.weights, digest, cache)
        template = template_digest(self.weights, self.folder)
        self.identity: Mapping[str, Any] = identity_of(self.weights, self.dtype, digest, template)
        self._waiting: list[Waiting] = []
        self._answering: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._loaded: Loaded | None = None

    async def answer(self, request: Request, place: Place) -> Completion:
        loop = asyncio.get_running_loop()
        waiting = Waiting(request, loop.create_future())
        self._waiting.append(waiting)
        if self._answering is None or self._answering.done():
            self._answering = loop.create_task(self._answer_waiting())
        return await waiting.answer

    async def close(self) -> None:
        """Stop after the batch in hand and free the memory."""
        if self._answering is not None:
            self._answering.cancel()
        give_up(self._waiting)
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)
        self._loaded = None

    async def _answer_waiting(self) -> None:
        await asyncio.sleep(GATHERING)
        while self._waiting:
            wave, self._waiting = self._waiting, []
            try:
                await self._answer_wave([waiting for waiting in wave if not waiting.answer.done()])
            except Exception as error:
                for waiting in wave:
                    if not waiting.answer.done():
                        waiting.answer.set_exception(error)
            finally:
                give_up(wave)

    async def _answer_wave(self, wave: Sequence[Waiting]) -> None:
        """Each batch is answered as soon as it is read: a killed run loses no more than one."""
        loop = asyncio.get_running_loop()
        requests = [waiting.request for waiting in wave]
        jobs = await loop.run_in_executor(self._thread, self._jobs, requests)
        waiting_for = {id(job): waiting.answer for job, waiting in zip(jobs, wave, strict=True)}
        for batch in batches(jobs, self.batch):
            completions = await loop.run_in_executor(self._thread, self._read, batch)
            for job, completion in zip(batch, completions, strict=True):
                if not waiting_for[id(job)].done():
                    waiting_for[id(job)].set_result(completion)

    def _jobs(self, requests: Sequence[Request]) -> list[Job]:
        chat = self._ready().chat
        return [job_of(request, chat) for request in requests]

    def _read(self, jobs: Sequence[Job]) -> list[Completion]:
        ready = self._ready()
        return answer_all(jobs, ready.network, ready.chat, self.model.context)

    def _ready(self) -> Loaded:
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    def _load(self) -> Loaded:
        try:
            import torch

            from plumbline.models.engines.forward import ForwardModel, load
        except ImportError as error:
            raise missing_libraries(error) from error

        if self.threads:
            torch.set_num_threads(self.threads)
        if self.weights.gguf:
            convert(self.weights.gguf, self.folder)
        model, tokenizer = load(self.folder, self.dtype, self.model.trust_remote_code)
        return Loaded(ForwardModel(model, self.batch), Chat(tokenizer))


def give_up(waiting: Sequence[Waiting]) -> None:
    """Nobody waits for ever: what has no answer by now gets none."""
    for each in waiting:
        each.answer.cancel()


@engine(settings=Settings, environment="embedded")
def open_engine(model: Model, settings: Settings, context: EngineContext) -> EmbeddedEngine:
    return EmbeddedEngine(model, settings, context.threads, context.cache)
