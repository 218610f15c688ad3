"""How fast an endpoint is asked: `python tests/bench/bench_endpoint.py [COUNT]`; memory at 200,000 asks by default.

A stub in a process of its own answers at once; a bare client loop against it is the measure of what this machine
could do at most. Our side does more: it keeps every answer in the completion store, safe against being killed.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import aiohttp
from plumbline.models.asking import CallPlace, Completion, Message, Request
from plumbline.models.cached import CachedEngine
from plumbline.models.engines.endpoint import EndpointEngine
from plumbline.models.engines.endpoint_settings import EndpointModel
from plumbline.models.engines.endpoint_settings import Settings as EndpointSettings
from plumbline.models.store import Store

MODEL = "stub"
AT_ONCE = 64
SPEED_ASKS = 10_000
PROMPT = "Which of the two outputs follows the instruction better? " * 6
ANSWER = json.dumps(
    {
        "model": MODEL,
        "choices": [{"message": {"role": "assistant", "content": "Output (a)"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 90, "completion_tokens": 4},
    }
).encode()
REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(ANSWER) + ANSWER


class Stub(asyncio.Protocol):
    """Answers each request as soon as it is whole."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.seen = transport, b""

    def data_received(self, data: bytes) -> None:
        self.seen += data
        while (end := self.seen.find(b"\r\n\r\n")) >= 0:
            size = int(self.seen[:end].lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
            if len(self.seen) < end + 4 + size:
                return
            self.seen = self.seen[end + 4 + size :]
            self.transport.write(REPLY)


def serve(port: multiprocessing.Queue[int]) -> None:
    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(Stub, "127.0.0.1", 0)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def request(number: int) -> Request:
    return Request((Message("user", f"{PROMPT}{number}"),))


async def each(count: int, work: Callable[[int], Awaitable[object]]) -> float:
    """Seconds for so many pieces of work, a fixed number of them under way."""
    numbers = iter(range(count))

    async def worker() -> None:
        for number in numbers:
            await work(number)

    start = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
    return time.perf_counter() - start


async def bare(url: str, count: int) -> float:
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=AT_ONCE)) as session:

        async def ask(number: int) -> None:
            body = {"model": MODEL, "messages": [{"role": "user", "content": f"{PROMPT}{number}"}]}
            async with session.post(f"{url}/chat/completions", json=body) as response:
                if not json.loads(await response.read())["choices"]:
                    raise SystemExit("an answer was lost")

        return await each(count, ask)


class Forgetful(Store):
    """Keeps nothing: shows what memory the asking itself takes."""

    def get(self, key: str) -> Completion | None:
        return None

    def put(self, key: str, completion: Completion) -> None:
        return None


@asynccontextmanager
async def answering(url: str, folder: Path, kind: type[Store]) -> AsyncIterator[CachedEngine]:
    engine = EndpointEngine(
        EndpointModel(label="", engine="stub", repository=MODEL, url=url),
        EndpointSettings(kind="endpoint", connections=AT_ONCE),
        folder / "spent",
    )
    with kind(folder) as store:
        asked = CachedEngine(engine, store)
        yield asked
        await asked.close()


async def ours(url: str, folder: Path, count: int, kind: type[Store] = Store) -> float:
    place = CallPlace("", "vanilla", "compare", "plain")
    async with answering(url, folder, kind) as asked:
        taken = await each(count, lambda number: asked.answer(request(number), place))
        if asked.tally.asked != count:
            raise SystemExit("an answer was lost")
        return taken


def peak(url: str, folder: Path, count: int, kind: type[Store] = Store) -> tuple[float, float]:
    """Peak memory in MB of a process that asks so often, and how long it takes."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(peak_here, (url, folder, count, kind))


def peak_here(url: str, folder: Path, count: int, kind: type[Store]) -> tuple[float, float]:
    taken = asyncio.run(ours(url, folder, count, kind))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, taken


def measure(url: str, folder: Path, count: int) -> list[tuple[str, str]]:
    asyncio.run(bare(url, SPEED_ASKS // 10))
    bare_rates, our_rates = [], []
    for turn in range(3):
        bare_rates.append(SPEED_ASKS / asyncio.run(bare(url, SPEED_ASKS)))
        our_rates.append(SPEED_ASKS / asyncio.run(ours(url, folder / f"speed{turn}", SPEED_ASKS)))
    few, _ = peak(url, folder / "few", 10_000)
    many, taken = peak(url, folder / "many", count)
    asking, _ = peak(url, folder / "none", count, Forgetful)
    return [
        ("asked by a bare client loop", f"{max(bare_rates):,.0f} /s"),
        ("asked through engine and store", f"{max(our_rates):,.0f} /s"),
        ("ratio of the two", f"{max(our_rates) / max(bare_rates):.2f}"),
        ("peak memory, 10,000 asks", f"{few:,.0f} MB"),
        (f"peak memory, {count:,} asks", f"{many:,.0f} MB"),
        ("of that without the store's own", f"{asking:,.0f} MB"),
        (f"asked through both, {count:,} asks", f"{count / taken:,.0f} /s"),
    ]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    port: multiprocessing.Queue[int] = multiprocessing.Queue()
    stub = multiprocessing.Process(target=serve, args=(port,), daemon=True)
    stub.start()
    url = f"http://127.0.0.1:{port.get()}/v1"
    with tempfile.TemporaryDirectory() as folder:
        for what, figure in measure(url, Path(folder), count):
            print(f"{what:40} {figure:>24}")
    stub.terminate()


if __name__ == "__main__":
    main()
