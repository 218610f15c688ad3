"""The review page: served on this machine only, to whoever has the address that was printed."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any

from plumbline.people.desk import Desk
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log

ADDRESS = "127.0.0.1"
LARGEST = 8 << 20
"""Bytes of a request that are read at most."""
ASSETS = {
    "": ("review.html", "text/html; charset=utf-8"),
    "review.css": ("review.css", "text/css; charset=utf-8"),
    "review.js": ("review.js", "text/javascript; charset=utf-8"),
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
JSON = "application/json"


class ReviewServer(ThreadingHTTPServer):
    """Answers only requests that carry the token of this run and were meant for this machine."""

    daemon_threads = True

    def __init__(self, desk: Desk, port: int = 0) -> None:
        self.desk = desk
        self.token = secrets.token_urlsafe(24)
        try:
            super().__init__((ADDRESS, port), Handler)
        except OSError as error:
            raise PlumblineError(
                f"port {port} cannot be used: {error.strerror or error}",
                do="choose another with --port, or leave it out",
            ) from error

    @property
    def hosts(self) -> set[str]:
        return {f"{name}:{self.server_port}" for name in (ADDRESS, "localhost")}

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.server_port}/{self.token}/"


class Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    server_version = "plumbline"
    sys_version = ""

    def do_GET(self) -> None:
        self._guarded(self._get)

    def do_POST(self) -> None:
        self._guarded(self._post)

    def _get(self, path: str) -> None:
        if path in ASSETS:
            file, kind = ASSETS[path]
            self._send(200, kind, resources.files("plumbline.people").joinpath("templates", file).read_bytes())
        elif path == "queue":
            self._send_json(200, self.server.desk.overview())
        else:
            self._send_json(200, self.server.desk.shown(number_of(path)))

    def _post(self, path: str) -> None:
        if self.headers.get_content_type() != JSON:
            self._send_json(415, {"error": f"expected {JSON}"})
            return
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= LARGEST:
            self._send_json(413, {"error": f"expected 1 to {LARGEST} bytes"})
            return
        posted = json.loads(self.rfile.read(length))
        if not isinstance(posted, dict):
            raise PlumblineError("the request is not a JSON object")
        self._send_json(200, self.server.desk.decide(number_of(path), posted))

    def _guarded(self, answer: Callable[[str], None]) -> None:
        """A page elsewhere can neither guess the token nor pretend to be this one; nothing is told why it failed."""
        token, separator, path = self.path.removeprefix("/").partition("/")
        origin = self.headers.get("Origin")
        if (
            not separator
            or not hmac.compare_digest(token.encode(), self.server.token.encode())
            or self.headers.get("Host") not in self.server.hosts
            or (origin is not None and origin.removeprefix("http://") not in self.server.hosts)
        ):
            self._send_json(403, {"error": "forbidden: open the address that plumbline printed"})
            return
        try:
            answer(path)
        except (PlumblineError, ValueError) as error:
            self._send_json(400, {"error": str(error)})

    def _send_json(self, code: int, value: Any) -> None:
        self._send(code, JSON, json.dumps(value, ensure_ascii=True).encode("ascii"))

    def _send(self, code: int, kind: str, body: bytes) -> None:
        self.send_response(code)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """The address holds the token: it belongs into no log."""
        log.debug("review: %s %s", self.command, args[1] if len(args) > 1 else "")


def number_of(path: str) -> int:
    """The pair that `pair/N` names."""
    word, _, number = path.partition("/")
    if word != "pair" or not number.isascii() or not number.isdigit():
        raise PlumblineError("there is no such page", found=path[:80])
    return int(number)
