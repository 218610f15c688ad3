"""How a page and a desk know that they speak of the same: what stands of an item, in short."""

from __future__ import annotations

from typing import Any

from plumbline.data.journal_lines import changed_fields
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_value


class Outdated(PlumblineError):
    """Something was said on a page that did not show what stands."""

    def __init__(self) -> None:
        super().__init__(
            "this was answered in another tab or window since it was shown here",
            do="look at what is there now, and answer again if you want it changed",
        )


def revision_of(line: Any) -> str:
    """Of the line that stands; nothing where none does."""
    return digest_value(changed_fields(line))[:16] if line else ""
