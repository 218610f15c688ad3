"""A server on loopback that answers chats, and misbehaves on demand; it counts what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

MODEL = "judge-7b"


@dataclass(frozen=True)
class Call:
    """One request as the server got it."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    time_seen: float

    @property
    def prompt(self) -> str:
        return str(self.body["messages"][-1]["content"])


Behaviour = Callable[[asyncio.StreamWriter, Call], Awaitable[None]]


def chat(text: str, model: str = MODEL, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish, **more}
    return {"model": model, "choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 2}}


def reply(content: bytes | dict[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    raw = json.dumps(content).encode() if isinstance(content, dict) else content
    lines = [f"HTTP/1.1 {status} X", "Content-Type: application/json", f"Content-Length: {len(raw)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode() + raw


def sends(content: bytes | dict[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Behaviour:
    async def behave(writer: asyncio.StreamWriter, call: Call) -> None:
        writer.write(reply(content, status, headers))

    return behave


async def echoes(writer: asyncio.StreamWriter, call: Call) -> None:
    writer.write(reply(chat(f"answer to {call.prompt}")))


async def hangs(writer: asyncio.StreamWriter, call: Call) -> None:
    await asyncio.sleep(60)


async def cuts(writer: asyncio.StreamWriter, call: Call) -> None:
    whole = reply(chat("never read to the end"))
    writer.write(whole[: len(whole) - 20])
    await writer.drain()
    writer.close()


async def trickles(writer: asyncio.StreamWriter, call: Call) -> None:
    for byte in reply(chat("slow")):
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.05)


@dataclass
class Server:
    """Misbehaves for the first `times` requests of each prompt, then answers."""

    bad: Behaviour = echoes
    times: int = 0
    good: Behaviour = echoes
    calls: list[Call] = field(default_factory=list)
    answered: Counter[str] = field(default_factory=Counter)
    at_once: int = 0
    most_at_once: int = 0

    async def __aenter__(self) -> Self:
        self._connections: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None:
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._connections.add(task)
        try:
            while not writer.is_closing():
                await self._one(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            self._connections.discard(task)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines if line)}
        body = json.loads(await reader.readexactly(int(headers["content-length"])))
        call = Call(first.split()[1], headers, body, asyncio.get_running_loop().time())
        self.calls.append(call)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            seen = sum(other.body == body for other in self.calls)
            if seen <= self.times:
                await self.bad(writer, call)
            else:
                await self.good(writer, call)
                if "messages" in body:
                    self.answered[call.prompt] += 1
            await writer.drain()
        finally:
            self.at_once -= 1
