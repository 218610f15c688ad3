"""Asking an engine directly."""

from __future__ import annotations

import asyncio
from typing import Any

from plumbline.asking import Completion, Engine, Message, Place, Request

PLACE = Place("pair", "vanilla", "compare", "plain")


def answers(to: Engine, *requests: Request) -> list[Completion]:
    async def ask() -> list[Completion]:
        try:
            return await asyncio.gather(*(to.answer(request, PLACE) for request in requests))
        finally:
            await to.close()

    return asyncio.run(ask())


def user(text: str, **settings: Any) -> Request:
    return Request((Message("user", text),), **settings)
