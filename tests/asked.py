"""Asking an engine directly, and what the completion store then holds."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from plumbline.asking import Completion, Engine, Message, Place, Request
from plumbline.segments import read_segment

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


def stored(folder: Path) -> set[bytes]:
    """The keys of all sound records in a completion store's folder."""
    return {row["key"].tobytes() for path in folder.glob("*.segment") for row in read_segment(path).rows}
