"""Data for pages: script files, because a page opened from disk may fetch nothing else.

What a script holds are compressed bytes in Base64, so that no text from a model or a data set ever stands in a page's
code: nothing in it can end a script, and nothing is run. The page decompresses and parses it (`assets/data.js`).
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping
from typing import Any

from plumbline.records.errors import PlumblineError

LEVEL = 9
SCRIPT = re.compile(rb'^plumbline\.take\("([\w./-]+)",(.*)\);\n$', re.DOTALL)
NAME = re.compile(r"^[\w./-]+$")


def packed(value: Any) -> str:
    """A value as compressed JSON in Base64; equal values give equal text."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")
    return base64.b64encode(gzip.compress(data, LEVEL, mtime=0)).decode("ascii")


def unpacked(text: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(text)))


def script(name: str, value: Any) -> bytes:
    """A script file that hands one value to the page."""
    return _script(name, packed(value))


def parts_script(name: str, values: Mapping[str, Any]) -> bytes:
    """A script file that hands over many values, each packed by itself: the page unpacks only what it shows."""
    return _script(name, {key: packed(value) for key, value in values.items()})


def _script(name: str, content: str | dict[str, str]) -> bytes:
    if not NAME.match(name):
        raise PlumblineError(f"a page's data cannot be called {name!r}", expected="letters, digits, . _ - /")
    plain = json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
    return f'plumbline.take("{name}",{plain});\n'.encode("ascii")


def same_data(one: bytes, other: bytes) -> bool:
    """Whether two script files hand over the same, however it is compressed; the scripts of pages hand over nothing."""
    if not (SCRIPT.match(one) and SCRIPT.match(other)):
        return False
    return bool(name_in(one) == name_in(other) and values_in(one) == values_in(other))


def name_in(data: bytes) -> str:
    match = SCRIPT.match(data)
    return match[1].decode() if match else ""


def values_in(data: bytes) -> Any:
    """What a script file hands over, whatever the compression made of it."""
    match = SCRIPT.match(data)
    if not match:
        raise PlumblineError("this is no data of a page", do="build it again")
    content = json.loads(match[2])
    return unpacked(content) if isinstance(content, str) else {key: unpacked(text) for key, text in content.items()}
