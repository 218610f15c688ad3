"""Keys of a configuration: the fields of its dataclasses, each with the sentence that stands under it in the source."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import sys
import typing
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from plumbline.config.typed import rest_of

TUPLE = re.compile(r"tuple\[(\w+), \.\.\.\]")
"""What is kept as a tuple is written as a list."""


@dataclass(frozen=True)
class Key:
    """One key of a section."""

    name: str
    kind: str
    default: str
    """As it would be written; empty where the key must be given."""
    sentence: str


def keys(kind: type) -> list[Key]:
    """The fields of a dataclass, those that it inherits first, with the sentences that stand under them."""
    return [key for base in reversed(kind.__mro__) if dataclasses.is_dataclass(base) for key in declared(base)]


def declared(kind: type) -> list[Key]:
    """Those of one class alone; keys that it keeps without declaring them are none of them."""
    body, module = definition(kind).body, sys.modules[kind.__module__]
    return [
        Key(
            node.target.id,
            TUPLE.sub(r"list[\1]", ast.unparse(node.annotation)),
            default(node.value, module),
            " ".join(below.value.value.split()) if is_sentence(below) else "",
        )
        for node, below in zip(body, [*body[1:], ast.Pass()], strict=True)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id != rest_of(kind)
    ]


def definition(kind: type) -> ast.ClassDef:
    nodes = ast.walk(parsed(kind.__module__))
    return next(node for node in nodes if isinstance(node, ast.ClassDef) and node.name == kind.__name__)


@cache
def parsed(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[module]))


def is_sentence(node: ast.stmt) -> typing.TypeGuard[Any]:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def default(value: ast.expr | None, module: ModuleType) -> str:
    """A default as a configuration would write it."""
    if value is None:
        return ""
    if isinstance(value, ast.Call):  # field(default_factory=…)
        factory = ast.unparse(value.keywords[0].value)
        return {"dict": "{}", "list": "[]"}.get(factory, f"as in {factory}")
    written = repr(getattr(module, value.id)) if isinstance(value, ast.Name) else ast.unparse(value)
    return {"True": "true", "False": "false", "None": "null", "''": '""', "()": "[]"}.get(written, written)


def own_keys(kind: type, common: type) -> list[Key]:
    """The fields of a class that the common one has not."""
    shared = {key.name for key in keys(common)}
    return [key for key in keys(kind) if key.name not in shared]
