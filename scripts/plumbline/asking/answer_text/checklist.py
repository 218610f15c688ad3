"""Read the questions of a checklist that a model wrote: each a question, once, without an answer of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable

ASKS = re.compile(r"[?？؟;](?=[\s\"'”’)*_`\]]*$)|[?？؟]")
"""Where a question ends; in Greek, with `;` at the end of the line."""
MARKS = " \t*_`\"'“”‘’"
MOST = 20
"""So many questions are asked at most; eight are asked for."""


def questions_of(items: Iterable[str], most: int = MOST) -> tuple[str, ...]:
    """The different questions among the items of a list, in order; what asks nothing is left out.

    What a model writes behind the question mark is its own answer or a remark, and is cut off.
    """
    questions: dict[str, str] = {}
    for item in items:
        end = ASKS.search(item)
        if end:
            question = item[: end.end()].strip(MARKS)
            questions.setdefault(" ".join(re.findall(r"\w+", question.casefold())), question)
    questions.pop("", None)
    return tuple(questions.values())[:most]
