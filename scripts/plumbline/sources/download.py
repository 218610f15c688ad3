"""Downloads that go on where they stopped and show how far they are."""

from __future__ import annotations

import http.client
import os
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from plumbline.records.errors import PlumblineError
from plumbline.records.files import check_writable, unwritable

ATTEMPTS = 4
TIMEOUT = 60
CHUNK = 1 << 18


def download(url: str, target: Path, *, anew: bool = False) -> Path:
    """Fetch `url` to `target`; a part already there is continued, not fetched again.

    `anew` is for what no digest will be held against: nothing that was there before is taken, and what comes is one
    version of the file from end to end.
    """
    if target.is_file() and not anew:
        return target
    check_writable(target.parent)
    part = PartialFile(url, target.with_name(target.name + ".part"), anew)
    if anew:
        part.path.unlink(missing_ok=True)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            part.go_on()
            part.path.replace(target)
            return target
        except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError) as error:
            if attempt == ATTEMPTS or _is_final(error):
                raise PlumblineError(f"cannot download {url}: {error}", where=url) from error
            time.sleep(min(2**attempt * 0.1, 5.0))
        except OSError as error:
            raise unwritable(part.path, error) from error
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


@dataclass
class PartialFile:
    """What has come of a file so far."""

    url: str
    path: Path
    one_version: bool
    """Whether a part may only be continued by the rest of the same version."""
    version: str = ""
    """What the server calls the version that is being fetched."""

    def go_on(self) -> None:
        have = self.path.stat().st_size if self.path.exists() else 0
        if self.one_version and not self.version:
            have = 0
        headers = {"Range": f"bytes={have}-"} if have else {}
        if have and self.version:
            headers["If-Range"] = self.version
        if not self.url.startswith(("https://", "http://")):
            raise PlumblineError("only http and https URLs are fetched", where=self.url)
        try:
            response = urllib.request.urlopen(urllib.request.Request(self.url, headers=headers), timeout=TIMEOUT)
        except urllib.error.HTTPError as error:
            if error.code == 416 and have:  # nothing is left to fetch
                return
            raise
        with response:
            resumed = have > 0 and response.status == 206
            self._check(response, resumed)
            total = int(response.headers.get("Content-Length") or 0) + (have if resumed else 0)
            self._take(response, total, have if resumed else 0)

    def _check(self, response: http.client.HTTPResponse, resumed: bool) -> None:
        """The rest belongs to what is there, and will be seen to be whole."""
        version = _version(response)
        if resumed and self.version and version != self.version:
            self.path.unlink(missing_ok=True)
            self.version = ""
            raise ConnectionError("the file changed while it was fetched")
        self.version = version
        if self.one_version and not response.chunked and response.headers.get("Content-Length") is None:
            raise PlumblineError(
                "the server does not say how long the file is: a cut one would look like a whole one",
                where=self.url,
                do="fetch it by other means, put it into a folder and pass that: --config mirror=FOLDER",
            )

    def _take(self, response: http.client.HTTPResponse, total: int, have: int) -> None:
        with (
            self.path.open("ab" if have else "wb") as handle,
            tqdm(total=total or None, initial=have, unit="B", unit_scale=True, desc=self.path.stem) as bar,
        ):
            while chunk := response.read(CHUNK):
                handle.write(chunk)
                bar.update(len(chunk))
            handle.flush()
            os.fsync(handle.fileno())
            if total and handle.tell() < total:
                raise ConnectionError(f"the connection ended after {handle.tell()} of {total} bytes")


def _version(response: http.client.HTTPResponse) -> str:
    """What tells versions of a file apart byte by byte, which a weak ETag does not."""
    etag = response.headers.get("ETag") or ""
    return "" if etag.startswith("W/") else etag
