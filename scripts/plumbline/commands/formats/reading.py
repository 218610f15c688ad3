"""Which format a file is of, and its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plumbline.commands.formats import flat
from plumbline.records.errors import PlumblineError

MOST_BYTES = 2_000_000_000
"""A larger file is not read: its rows would not fit into memory beside their verdicts."""


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file in whatever format it is."""
    if path.is_dir():
        raise PlumblineError("a folder is no file of verdicts", where=str(path), expected="one file")
    if not path.is_file():
        raise PlumblineError("there is no such file", where=str(path))
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise PlumblineError(
            f"the file has {size / 1e9:.1f} GB",
            where=str(path),
            expected=f"at most {MOST_BYTES / 1e9:.0f} GB",
            do="leave out columns that are not needed, or compare on a random part of its rows",
        )
    if path.suffix.lower() not in flat.ENDINGS:
        raise PlumblineError(
            f"files that end in {path.suffix or 'nothing'!r} are not known",
            where=str(path),
            expected=", ".join(flat.ENDINGS),
        )
    try:
        return flat.read(path)
    except PlumblineError as error:
        if "codec can't decode" in str(error):
            raise PlumblineError(
                "the file is not UTF-8", where=str(path), do="save it as UTF-8: it may be Latin-1 or Windows-1252"
            ) from error
        raise
