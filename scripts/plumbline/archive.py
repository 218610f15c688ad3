"""The one file a fetched source is kept in: a zip of its pinned files, equal bytes for equal files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from plumbline.errors import PlumblineError
from plumbline.files import read_bytes, writing

EPOCH = (1980, 1, 1, 0, 0, 0)


def pack(out: Path, files: Mapping[str, bytes]) -> None:
    with writing(out) as handle:
        _pack(handle, files)


def _pack(handle: IO[bytes], files: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as box:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            box.writestr(info, files[name])


class SourceFiles:
    """Reads single files of a fetched source."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.box = zipfile.ZipFile(io.BytesIO(read_bytes(path)))
        except zipfile.BadZipFile as error:
            raise PlumblineError(
                f"{path} is damaged ({error})", where=str(path), do="remove it and run again"
            ) from error

    def names(self) -> list[str]:
        return self.box.namelist()

    def read(self, name: str) -> bytes:
        try:
            return self.box.read(name)
        except KeyError:
            raise PlumblineError(f"{self.path} has no file {name}", where=str(self.path)) from None
        except (zipfile.BadZipFile, EOFError, ValueError) as error:
            raise PlumblineError(f"{self.path}: {name} is damaged ({error})", where=f"{self.path}: {name}") from error

    def text(self, name: str) -> str:
        return self.read(name).decode("utf-8")
