"""Answering what waits together: requests gather for a moment and are answered batch by batch, in a thread."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from plumbline.models.asking import CallPlace, Completion, Request

GATHERING = 0.01
"""Seconds to wait after the first ask, so that those asked with it are read together."""

Job = TypeVar("Job")


@dataclass(frozen=True)
class Waiting:
    """A request and whoever waits for its answer."""

    request: Request
    answer: asyncio.Future[Completion]


class BatchingEngine(ABC, Generic[Job]):
    """Reads the requests that wait together in batches, in a thread of its own."""

    stored = True
    identity: Mapping[str, Any]

    def __init__(self) -> None:
        self._waiting: list[Waiting] = []
        self._answering: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")

    @abstractmethod
    def jobs(self, requests: Sequence[Request]) -> list[Job]:
        """Each request as the model reads it; runs in the thread."""

    @abstractmethod
    def batches(self, jobs: Sequence[Job]) -> Sequence[Sequence[Job]]:
        """All jobs, those that are read together side by side."""

    @abstractmethod
    def read(self, batch: Sequence[Job]) -> Sequence[Completion]:
        """The answers of one batch in its order; runs in the thread."""

    @abstractmethod
    def unload(self) -> None:
        """Free the memory."""

    async def answer(self, request: Request, place: CallPlace) -> Completion:
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
        self.unload()

    async def _answer_waiting(self) -> None:
        await asyncio.sleep(GATHERING)
        while self._waiting:
            gathered, self._waiting = self._waiting, []
            try:
                await self._answer_together([waiting for waiting in gathered if not waiting.answer.done()])
            except Exception as error:
                for waiting in gathered:
                    if not waiting.answer.done():
                        waiting.answer.set_exception(error)
            finally:
                give_up(gathered)

    async def _answer_together(self, gathered: Sequence[Waiting]) -> None:
        """Each batch is answered as soon as it is read: a killed run loses no more than one."""
        loop = asyncio.get_running_loop()
        requests = [waiting.request for waiting in gathered]
        jobs = await loop.run_in_executor(self._thread, self.jobs, requests)
        waiting_for = {id(job): waiting.answer for job, waiting in zip(jobs, gathered, strict=True)}
        for batch in self.batches(jobs):
            completions = await loop.run_in_executor(self._thread, self.read, batch)
            for job, completion in zip(batch, completions, strict=True):
                if not waiting_for[id(job)].done():
                    waiting_for[id(job)].set_result(completion)


def give_up(waiting: Sequence[Waiting]) -> None:
    """Nobody waits for ever: what has no answer by now gets none."""
    for each in waiting:
        each.answer.cancel()
