"""A server on this machine that answers chats by a function of the prompt, and a model's file that names it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

Reply = Callable[[str, Mapping[str, Any]], tuple[str, str]]
"""From the last message and the whole request to an answer, and how it ended."""


@dataclass
class Served:
    """Who answers, and what was asked."""

    url: str
    prompts: list[str] = field(default_factory=list)

    def declare(self, name: str, **more: object) -> None:
        """Write the model's file, in the folder of the configuration here."""
        model = {"label": name.title(), "engine": "vllm_server", "url": self.url, "repository": name, **more}
        Path(f"config/model/{name}.yaml").write_text(json.dumps(model))


class ManyAtOnce(ThreadingHTTPServer):
    request_queue_size = 256


@contextmanager
def server(reply: Reply) -> Iterator[Served]:
    prompts: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = asked["messages"][-1]["content"]
            prompts.append(prompt)
            text, finish = reply(prompt, asked)
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
            usage = {"prompt_tokens": 10, "completion_tokens": 5}
            body = json.dumps({"model": asked["model"], "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *words: object) -> None:
            """Say nothing."""

    running = ManyAtOnce(("127.0.0.1", 0), Handler)
    thread = Thread(target=running.serve_forever, args=[0.01], daemon=True)
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{running.server_port}/v1", prompts)
    finally:
        running.shutdown()
        running.server_close()
        thread.join()
