"""A prompt that stands as a string in somebody's Python code, which is read and never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plumbline.asking.slots import SLOT
from plumbline.records.errors import PlumblineError, nearest

INSIDE = "::"
"""Stands between a Python file and the name that a string is assigned to."""
NAMED = re.compile(r"(?P<name>[A-Za-z_]\w*)(?:\[(?P<number>\d+)\])?")


@dataclass(frozen=True)
class Assigned:
    """A string that code assigns to a name."""

    name: str
    value: ast.Constant | ast.JoinedStr
    top: bool
    """Whether it is assigned by the module itself, and not in a function."""


def string_in(code: str, named: str, where: str) -> str:
    """The string that is assigned to a name anywhere in Python code: `NAME`, or of several `NAME[0]`, `NAME[1]`, …

    What an f-string puts in place of a name is a slot of that name, unless it is a text of the module itself.
    """
    match = NAMED.fullmatch(named)
    if not match:
        raise PlumblineError(f"{named!r} names no string", where=where, expected="NAME, or NAME[0] of several")
    name, number = match["name"], match["number"]
    assigned = sorted(_assigned(_parsed(code, where)), key=lambda one: (one.value.lineno, one.value.col_offset))
    values = [one.value for one in assigned if one.name == name]
    if not values:
        do = nearest(name, dict.fromkeys(one.name for one in assigned))
        raise PlumblineError(f"no string is assigned to {name!r}", where=where, do=do)
    if (number is None and len(values) > 1) or int(number or 0) >= len(values):
        expected = f"{name}[0] to {name}[{len(values) - 1}]" if len(values) > 1 else name
        raise PlumblineError(f"{named!r} is not one of its strings", where=where, expected=expected)
    value = values[int(number or 0)]
    own = {one.name: str(one.value.value) for one in assigned if one.top and isinstance(one.value, ast.Constant)}
    return _text(value, own, f"{where}, line {value.lineno}")


def _parsed(code: str, where: str) -> ast.Module:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise PlumblineError(f"Python code cannot be read ({error})", where=where) from error


def _assigned(module: ast.Module) -> Iterator[Assigned]:
    own = {id(node) for node in module.body}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            value, targets = node.value, node.targets if isinstance(node, ast.Assign) else [node.target]
            if isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str)):
                names = (target.id for target in targets if isinstance(target, ast.Name))
                yield from (Assigned(name, value, id(node) in own) for name in names)


def _text(value: ast.Constant | ast.JoinedStr, own: Mapping[str, str], where: str) -> str:
    """A string with slots for what is put into it."""
    if isinstance(value, ast.Constant):
        return str(value.value)
    return "".join(_part(part, own, where) for part in value.values)


def _part(part: ast.expr, own: Mapping[str, str], where: str) -> str:
    if isinstance(part, ast.Constant):
        return _without_slots(str(part.value), where)
    value = part.value if isinstance(part, ast.FormattedValue) else part
    plain = isinstance(part, ast.FormattedValue) and part.conversion == -1 and part.format_spec is None
    if not (plain and isinstance(value, ast.Name)):
        what = "a string puts in more than what is called by a name"
        raise PlumblineError(what, where=where, found=ast.unparse(value)[:120])
    return _without_slots(own[value.id], where) if value.id in own else f"{{{value.id}}}"


def _without_slots(text: str, where: str) -> str:
    """What stands in braces in a finished text would be taken for a slot."""
    if slot := SLOT.search(text):
        raise PlumblineError("a string holds braces that would be taken for a slot", where=where, found=slot[0])
    return text
