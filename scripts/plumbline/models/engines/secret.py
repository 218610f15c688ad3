"""A server's key: read from the environment when it is needed, and shown nowhere."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from plumbline.models.asking import EngineStopped
from plumbline.records.errors import PlumblineError

SHORTEST_KEY = 8
"""A shorter key is a stand-in such as `EMPTY`, not a secret: hiding it would change the texts it occurs in."""


class Secret:
    """A key from the environment, which is looked up only when it is needed and shown nowhere."""

    def __init__(self, variable: str) -> None:
        self.variable = variable

    @property
    def key(self) -> str:
        return os.environ.get(self.variable, "").strip() if self.variable else ""

    @property
    def headers(self) -> dict[str, str]:
        if not self.variable:
            return {}
        if not self.key or not (self.key.isascii() and self.key.isprintable()):
            raise EngineStopped(
                f"the environment variable {self.variable} holds no key",
                where="key_env in the model's file",
                do=f"export {self.variable}=…, and let the jobs have it",
            )
        return {"Authorization": f"Bearer {self.key}"}

    def hide(self, text: str) -> str:
        """A text from the server, which knows the key and may repeat it."""
        key = self.key
        return text.replace(key, "[key]") if len(key) >= SHORTEST_KEY else text

    def hide_in(self, data: Any) -> Any:
        """The same for all texts in an answer, whatever escapes they were sent with."""
        if isinstance(data, str):
            return self.hide(data)
        if isinstance(data, list):
            return [self.hide_in(each) for each in data]
        return {name: self.hide_in(each) for name, each in data.items()} if isinstance(data, dict) else data


def plain_url(url: str) -> str:
    """A base URL without a closing slash. One that carries credentials would carry them into store and manifest."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if (
        parts.scheme not in ("http", "https")
        or not parts.netloc
        or "@" in parts.netloc
        or parts.query
        or parts.fragment
    ):
        raise PlumblineError(
            "the URL of an endpoint is not a plain one",
            where="url in the model's file",
            expected="http(s)://HOST[:PORT]/v1 without user, password or query",
            do="put the key into an environment variable and name that as key_env",
        )
    return url.rstrip("/")
