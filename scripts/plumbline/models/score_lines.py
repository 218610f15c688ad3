"""The two lines of scores that a prompt asks for at its end, for engines whose answers are made up."""

from __future__ import annotations

import re

from plumbline.models.asking import Request

FORM = re.compile(r"^(.+:) [^\n]+\n(.+:) [^\n]+\s*\Z", re.M)
"""The last two lines of a prompt, each some words and what is to stand behind them."""


def with_scores(request: Request, first: int, second: int) -> str:
    """The lines with these scores; none where the prompt does not end so."""
    asked = FORM.search(request.messages[-1].content) if request.messages else None
    return f"\n{asked[1]} {first}\n{asked[2]} {second}" if asked else ""
