"""Text for a page: letters that would move, hide or turn what stands around them are shown by their numbers."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters but tab and line break, and what turns the direction of text; `visible` in assets/dom.js too."""


def visible(text: str) -> str:
    return UNSEEN.sub(lambda match: number_of(match[0]), text)


def number_of(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def shown(value: Any) -> Any:
    """What a template fills in; markup that a template made itself stays."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
