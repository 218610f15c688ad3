"""Between `ask` and an engine: what the store holds is not asked again, and equal asks are asked once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from plumbline.asking import Completion, Engine, Place, Request, completion_key
from plumbline.store import Store

FLUSH_SECONDS = 1.0


class Answering:
    """An engine with the completion store in front of it."""

    stored = False

    def __init__(self, engine: Engine, store: Store) -> None:
        self.engine, self.store = engine, store
        self.identity: Mapping[str, Any] = engine.identity
        self.asked = self.reused = 0
        self.flying: dict[str, asyncio.Task[Completion]] = {}
        self.flushed = time.monotonic()

    async def answer(self, request: Request, place: Place) -> Completion:
        key = completion_key(self.identity, request)
        known = self.store.get(key)
        if known is not None:
            self.reused += 1
            return known
        if key in self.flying:
            self.reused += 1
        else:
            self.flying[key] = asyncio.ensure_future(self._ask(key, request, place))
        return await asyncio.shield(self.flying[key])

    async def _ask(self, key: str, request: Request, place: Place) -> Completion:
        try:
            completion = await self.engine.answer(request, place)
            self.asked += 1
            self.store.put(key, completion)
            self._flush_now_and_then()
            return completion
        finally:
            self.flying.pop(key, None)

    def _flush_now_and_then(self) -> None:
        if time.monotonic() - self.flushed >= FLUSH_SECONDS:
            self.store.flush()
            self.flushed = time.monotonic()

    async def close(self) -> None:
        self.store.flush()
        await self.engine.close()
