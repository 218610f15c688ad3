"""Files of JSON lines that people's pages append to, read: a last line that a crash cut off was never confirmed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypeVar

from plumbline.config.typed import build
from plumbline.records.errors import PlumblineError

Line = TypeVar("Line")


def lines_in(data: bytes, path: str, kind: type[Line]) -> Iterator[tuple[Line, str]]:
    """Each line, and where it stands."""
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        where = f"{path}, line {number}"
        try:
            row = json.loads(line) if line.strip() else None
        except ValueError as error:
            if number == len(lines):
                break
            raise PlumblineError(f"a line is not JSON ({error})", where=where, do="mend or remove that line") from error
        if row is not None:
            yield build(kind, row, where), where
