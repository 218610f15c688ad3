"""vLLM is started with the first ask, once, and ended with the job."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Generic, Protocol, TypeVar


class Stops(Protocol):
    """Something that runs in processes of its own."""

    def stop(self) -> None: ...


Running = TypeVar("Running", bound=Stops)


class StartedOnce(ABC, Generic[Running]):
    """Nothing of vLLM is imported or started before the first answer is needed."""

    def __init__(self) -> None:
        self._starting: asyncio.Task[Running] | None = None

    @abstractmethod
    def start(self) -> Running:
        """Runs in a thread."""

    async def running(self) -> Running:
        if self._starting is None:
            self._starting = asyncio.create_task(asyncio.to_thread(self.start))
        return await asyncio.shield(self._starting)

    async def close(self) -> None:
        """End vLLM's processes, also those that are only starting."""
        starting, self._starting = self._starting, None
        if starting is not None:
            await asyncio.wait([starting])
            if not starting.cancelled() and starting.exception() is None:
                starting.result().stop()
