"""Work in flight: so much at a time, results in order, and never many of them waiting."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator

import pytest
from plumbline.models.concurrency import AHEAD, each_in_order
from plumbline.models.failures import TOLERATED, Failures
from plumbline.records.errors import PlumblineError

WINDOW = 4


def run(items: Iterator[int], work: Callable[[int], Awaitable[int]], keep: Callable[[int], None]) -> None:
    asyncio.run(each_in_order(items, work, keep, WINDOW, Failures()))


def test_results_come_in_order_whatever_takes_how_long_and_so_many_at_a_time() -> None:
    now, most = 0, 0

    async def work(item: int) -> int:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(random.uniform(0, 0.004))
        now -= 1
        return item * 2

    kept: list[int] = []
    run(iter(range(200)), work, kept.append)
    assert kept == [2 * item for item in range(200)]
    assert most == WINDOW


def test_behind_a_slow_item_only_so_many_others_are_begun() -> None:
    async def run_slowly() -> None:
        slow, begun = asyncio.Event(), []

        async def work(item: int) -> int:
            begun.append(item)
            if item == 0:
                await slow.wait()
            return item

        kept: list[int] = []
        task = asyncio.create_task(each_in_order(range(1000), work, kept.append, WINDOW, Failures()))
        await asyncio.sleep(0.05)
        assert (begun, kept) == ([*range(AHEAD * WINDOW + 1)], [])
        slow.set()
        await task
        assert kept == list(range(1000))

    asyncio.run(run_slowly())


def test_what_fails_is_told_at_the_end_and_the_others_are_done() -> None:
    done = []

    async def work(item: int) -> int:
        if item in (3, 5):
            raise PlumblineError(f"no {item}")
        done.append(item)
        return item

    kept: list[int] = []
    with pytest.raises(PlumblineError, match=r"no 3\n.*1 more instances failed"):
        run(iter(range(30)), work, kept.append)
    assert kept == done == [item for item in range(30) if item not in (3, 5)]


def test_where_all_fail_few_are_begun() -> None:
    begun = []

    async def work(item: int) -> int:
        begun.append(item)
        raise PlumblineError("no answer")

    with pytest.raises(PlumblineError, match="more instances failed"):
        run(iter(range(1000)), work, lambda result: None)
    assert TOLERATED <= len(begun) < TOLERATED + 2 * WINDOW


@pytest.mark.parametrize("where", ["items", "keep"])
def test_an_error_beside_the_work_ends_all_of_it_and_is_told_as_it_is(where: str) -> None:
    running = 0

    def items() -> Iterator[int]:
        yield from range(10)
        if where == "items":
            raise PlumblineError("cannot read on")

    def keep(result: int) -> None:
        if where == "keep" and result == 2:
            raise PlumblineError("disk full")

    async def work(item: int) -> int:
        nonlocal running
        running += 1
        try:
            await asyncio.sleep(0 if item < 6 else 30)
        finally:
            running -= 1
        return item

    with pytest.raises(PlumblineError, match="cannot read on" if where == "items" else "disk full"):
        run(items(), work, keep)
    assert running == 0


def test_a_cancelled_run_leaves_no_task_behind() -> None:
    async def cancelled() -> None:
        async def work(item: int) -> int:
            await asyncio.sleep(30)
            return item

        task = asyncio.create_task(each_in_order(range(10), work, lambda result: None, WINDOW, Failures()))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(cancelled())
