"""The files that a page of the documentation shows: each block of code that is opened with a file's name."""

from __future__ import annotations

import re
from pathlib import Path

BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files_in(page: Path, part: str = "") -> dict[str, str]:
    """Text by file name, of the whole page or of the part under a heading."""
    text = page.read_text(encoding="utf-8")
    if part:
        text = text.partition(f"\n## {part}\n")[2].partition("\n## ")[0]
    return dict(BLOCK.findall(text))
