"""Slots in braces: filled in one pass, and a part of a template that is repeated."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from plumbline.config.prompts import Repeated, SlotMarks
from plumbline.records.errors import PlumblineError

SLOT = re.compile(r"\{([a-z_]+[0-9]?)\}")
SLOTS: dict[SlotMarks, re.Pattern[str]] = {
    "braces": SLOT,
    "dollar": re.compile(r"\$\{([a-z_]+[0-9]?)\}"),
    "dollar_inside": re.compile(r"\{\$([a-z_]+[0-9]?)\}"),
}
MARKED: dict[SlotMarks, str] = {"braces": "{%s}", "dollar": "${%s}", "dollar_inside": "{$%s}"}
Values = Mapping[str, Any]
Fill = Callable[[Values], str]
"""Puts values into a template."""


def marked(slot: str, marks: SlotMarks = "braces") -> str:
    """A slot as it stands in a template."""
    return MARKED[marks] % slot


def braces(body: str, name: str, marks: SlotMarks = "braces") -> Fill:
    """Fill {name}, ${name} or {$name} in one pass: braces inside a value are text, not slots."""
    parts = SLOTS[marks].split(body)

    def fill(values: Values) -> str:
        filled = list(parts)
        for index in range(1, len(parts), 2):
            if parts[index] not in values:
                slot = marked(parts[index], marks)
                raise PlumblineError(f"a prompt needs {slot}, which the protocol does not give", where=name)
            filled[index] = str(values[parts[index]])
        return "".join(filled)

    return fill


def repeating(body: str, name: str, repeated: Repeated, marks: SlotMarks = "braces") -> Fill:
    """Fill what stands before the repeated part, unless there is to be no `intro`; then the part for each that there
    is; then, of the part for what is asked, what stands before the slot that nothing fills."""
    before, part = parted(body, name, repeated)
    asking = _asking(part, name, repeated, marks)
    intro, each, last = (braces(text, name, marks) for text in (before, part, asking))

    def fill(values: Values) -> str:
        start = intro(values) if values.get("intro", True) else ""
        return start + "".join(each(one) + "\n" for one in values[repeated.each]) + last(values)

    return fill


def parted(body: str, name: str, repeated: Repeated) -> tuple[str, str]:
    """What stands before the repeated part of a template, and the part."""
    found = re.search(rf"^{re.escape(repeated.start)}", body, re.MULTILINE)
    if not found:
        raise PlumblineError(
            "a prompt template lacks the part that is repeated",
            where=name,
            expected=f"a line that begins with {repeated.start!r}, and from there on what is repeated",
        )
    return body[: found.start()], body[found.start() :].rstrip("\n")


def _asking(part: str, name: str, repeated: Repeated, marks: SlotMarks) -> str:
    ends = marked(repeated.ends, marks)
    asking, slot, _ = part.rpartition(ends)
    if not slot:
        raise PlumblineError(
            f"the part of a prompt template that is repeated lacks {ends}",
            where=name,
            expected=f"{{{repeated.ends}}} behind all else: what is asked for",
        )
    return asking.rstrip()


def shown_of(one: Any) -> Values:
    """A rated example or a turn of a debate, by the names that templates call such things by."""
    fields = dict(one if isinstance(one, Mapping) else vars(one))
    if "rating" in fields:
        fields |= {"rating": f"{fields['rating']:g}", "output": fields["answer"]}
    return fields
