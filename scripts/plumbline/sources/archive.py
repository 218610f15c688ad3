"""The one file a fetched source is kept in: a zip of its pinned files, equal bytes for equal files."""

from __future__ import annotations

import io
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from plumbline.records.errors import PlumblineError
from plumbline.records.files import as_text, unreadable, writing

CHUNK = 1 << 18
"""Bytes of a file that is read in parts held at a time."""
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, OSError)
"""What reading a damaged zip raises: a flipped bit may also ask for a password, or for what lies before its start."""


def pack(out: Path, files: Mapping[str, bytes | Path]) -> None:
    """Of each file its bytes, or where it lies: then it is never whole in memory."""
    with writing(out) as handle, zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as box:
        for name in sorted(files):
            _add(box, name, files[name])


def _add(box: zipfile.ZipFile, name: str, content: bytes | Path) -> None:
    """Under a name alone a file gets the same time and mode wherever it comes from: equal content, equal bytes."""
    with opened(content) as source:
        size = source.seek(0, io.SEEK_END)
        source.seek(0)
        with box.open(name, "w", force_zip64=size >= zipfile.ZIP64_LIMIT) as target:
            shutil.copyfileobj(source, target)


def opened(content: bytes | Path) -> IO[bytes]:
    if isinstance(content, bytes):
        return io.BytesIO(content)
    try:
        return content.open("rb")
    except OSError as error:
        raise unreadable(content, error) from error


class SourceFiles:
    """Reads single files of a fetched source."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.box = zipfile.ZipFile(path)
        except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
            raise unreadable(path, error) from error
        except DAMAGE as error:
            raise PlumblineError(
                f"{path} is damaged ({error})", where=str(path), do="remove it and run again"
            ) from error

    def names(self) -> list[str]:
        return self.box.namelist()

    def read(self, name: str) -> bytes:
        with self._naming(name):
            return self.box.read(self._member(name))

    def text(self, name: str) -> str:
        return as_text(self.read(name), f"{self.path}: {name}")

    def open(self, name: str) -> IO[bytes]:
        """A file that is read in parts, for one too long to be held."""
        with self._naming(name):
            content = self.box.open(self._member(name))
        return io.BufferedReader(_Member(content, partial(self._naming, name)), CHUNK)

    def _member(self, name: str) -> zipfile.ZipInfo:
        try:
            return self.box.getinfo(name)
        except KeyError:
            raise PlumblineError(f"{self.path} has no file {name}", where=str(self.path)) from None

    @contextmanager
    def _naming(self, name: str) -> Iterator[None]:
        try:
            yield
        except DAMAGE as error:
            raise PlumblineError(
                f"{self.path}: {name} is damaged ({error})",
                where=f"{self.path}: {name}",
                do=f"remove {self.path} and run again",
            ) from error


class _Member(io.RawIOBase):
    """A file inside a zip: whoever reads it, damage is told in the one way."""

    def __init__(self, content: IO[bytes], naming: Callable[[], AbstractContextManager[None]]) -> None:
        self.content, self.naming = content, naming

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with self.naming():
            data = self.content.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self.content.close()
        super().close()
