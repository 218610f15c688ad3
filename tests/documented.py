"""The files that a page of the documentation shows: each block of code that is opened with a file's name."""

from __future__ import annotations

import re
from pathlib import Path

BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files_in(*pages: Path) -> dict[str, str]:
    """Text by file name, page by page; a file is shown once."""
    blocks = [block for page in pages for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
    assert len({name for name, _ in blocks}) == len(blocks), "two blocks for one file"
    return dict(blocks)
