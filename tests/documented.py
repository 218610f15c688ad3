"""The files that a page of the documentation shows: each block of code that is opened with a file's name."""

from __future__ import annotations

import re
from pathlib import Path

BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files_in(page: Path) -> dict[str, str]:
    """Text by file name."""
    return dict(BLOCK.findall(page.read_text(encoding="utf-8")))
