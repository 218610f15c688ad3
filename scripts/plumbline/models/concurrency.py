"""Much work, some of it in flight at a time, its results in the order of what it was done on."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from plumbline.models.failures import Failures

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 8
"""How many windows may be begun while the first item is not finished."""


async def settled(work: Sequence[Awaitable[Result]]) -> list[Result | BaseException]:
    """What came of each, or the error that it ended with. One alone needs no task of its own."""
    if len(work) != 1:
        return await asyncio.gather(*work, return_exceptions=True)
    try:
        return [await work[0]]
    except Exception as error:
        return [error]


async def each_in_order(
    items: Iterable[Item],
    work: Callable[[Item], Awaitable[Result]],
    keep: Callable[[Result], None],
    window: int,
    failures: Failures,
) -> None:
    """`work` on all items, `window` of them at a time; `keep` is given the results in the items' order.

    Only where one item takes far longer than those after it do their results wait in memory, and when many do, no
    other is begun. Where one fails the others go on, so that a rerun has little left to do; then the whole fails.
    """
    free = asyncio.Semaphore(window)
    begun: deque[asyncio.Task[Result | None]] = deque()

    async def one(item: Item) -> Result | None:
        try:
            return await work(item)
        except Exception as error:
            failures.add(error)
            return None
        finally:
            free.release()

    async def keep_first() -> None:
        result = await begun[0]
        begun.popleft()
        if result is not None:
            keep(result)

    try:
        for item in items:
            await free.acquire()
            if failures.enough:
                break
            begun.append(asyncio.create_task(one(item)))
            while begun and (begun[0].done() or len(begun) > AHEAD * window):
                await keep_first()
        while begun:
            await keep_first()
    finally:
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)
    failures.raise_any()
