"""What a configuration may say, as Markdown: a section for a class, with a table of its keys."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Iterable, Iterator
from typing import Any

from plumbline.commands.keys import Key, keys


def sections(top: type) -> list[type]:
    """The dataclass and all that its fields lead to, each once, those above first."""
    kinds = {top: None}
    waiting = [top]
    while waiting:
        for hint in typing.get_type_hints(waiting.pop(0)).values():
            for kind in dataclasses_in(hint):
                if kind not in kinds:
                    kinds[kind] = None
                    waiting.append(kind)
    return list(kinds)


def dataclasses_in(hint: Any) -> Iterator[type]:
    """The dataclasses a type is made of, e.g. `Table` of `dict[str, dict[str, Table]]`."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        yield hint
    for part in typing.get_args(hint):
        yield from dataclasses_in(part)


def section(kind: type) -> str:
    return f"## {kind.__name__}\n\n{inspect.getdoc(kind)}\n\n{table(keys(kind))}"


def table(listed: Iterable[Key]) -> str:
    rows = "".join(
        f"| `{key.name}` | {code(key.kind)} | {code(key.default) or 'required'} | {escaped(key.sentence)} |\n"
        for key in listed
    )
    return f"| key | type | default | meaning |\n|---|---|---|---|\n{rows}"


def code(text: str) -> str:
    return f"`{escaped(text)}`" if text else ""


def escaped(text: str) -> str:
    """A cell of a Markdown table ends at a bar."""
    return text.replace("|", "\\|")
