"""Downloads that go on where they stopped and show how far they are."""

from __future__ import annotations

import http.client
import os
import time
import urllib.error
import urllib.request
from pathlib import Path

from tqdm import tqdm

from plumbline.records.errors import PlumblineError
from plumbline.records.files import check_writable, unwritable

ATTEMPTS = 4
TIMEOUT = 60
CHUNK = 1 << 18


def download(url: str, target: Path) -> Path:
    """Fetch `url` to `target`; a part already there is continued, not fetched again."""
    if target.is_file():
        return target
    check_writable(target.parent)
    part = target.with_name(target.name + ".part")
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _continue(url, part)
            part.replace(target)
            return target
        except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError) as error:
            if attempt == ATTEMPTS or _is_final(error):
                raise PlumblineError(f"cannot download {url}: {error}", where=url) from error
            time.sleep(min(2**attempt * 0.1, 5.0))
        except OSError as error:
            raise unwritable(part, error) from error
    raise AssertionError("unreachable")


def _is_final(error: Exception) -> bool:
    """A client error stays one however often it is asked; an unresolvable host as well."""
    if isinstance(error, urllib.error.HTTPError):
        return 400 <= error.code < 500 and error.code != 429
    return (
        isinstance(error, urllib.error.URLError)
        and isinstance(error.reason, OSError)
        and not isinstance(error.reason, ConnectionError | TimeoutError)
    )


def _continue(url: str, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    if not url.startswith(("https://", "http://")):
        raise PlumblineError("only http and https URLs are fetched", where=url)
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416 and have:  # nothing is left to fetch
            return
        raise
    with response:
        resumed = have > 0 and response.status == 206
        total = int(response.headers.get("Content-Length") or 0) + (have if resumed else 0)
        with (
            part.open("ab" if resumed else "wb") as handle,
            tqdm(total=total or None, initial=have if resumed else 0, unit="B", unit_scale=True, desc=part.stem) as bar,
        ):
            while chunk := response.read(CHUNK):
                handle.write(chunk)
                bar.update(len(chunk))
            handle.flush()
            os.fsync(handle.fileno())
            if total and handle.tell() < total:
                raise ConnectionError(f"the connection ended after {handle.tell()} of {total} bytes")
