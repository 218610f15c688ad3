"""Files that people's tools append to: one JSON object a line, made of a dataclass, what is as by default left out."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any, TypeVar

from plumbline.config.typed import build
from plumbline.records.errors import PlumblineError

Line = TypeVar("Line")


def lines_in(kind: type[Line], data: bytes, path: str) -> Iterator[tuple[Line, str]]:
    """Each line of a file and where it stands. A last line that a crash cut off was never confirmed and is left out."""
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        where = f"{path}, line {number}"
        try:
            row = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError) as error:
            if number == len(lines):
                return
            raise PlumblineError(f"a line is not JSON ({error})", where=where, do="mend or remove that line") from error
        if row is not None:
            yield build(kind, row, where), where


def as_line(line: Any) -> bytes:
    """A line of the file."""
    return json.dumps(changed_fields(line), ensure_ascii=True).encode("ascii") + b"\n"


def changed_fields(line: Any) -> dict[str, Any]:
    """The fields that are not as by default, in their order."""
    found = {}
    for field in dataclasses.fields(line):
        value = getattr(line, field.name)
        default = field.default_factory() if callable(field.default_factory) else field.default
        if value != default:
            found[field.name] = [plain(one) for one in value] if isinstance(value, list) else value
    return found


def plain(value: Any) -> Any:
    return changed_fields(value) if dataclasses.is_dataclass(value) else value
