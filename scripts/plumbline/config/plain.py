"""Typed configuration as plain data again: the whole of it, or only what is not as it is by default."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any

from plumbline.config.typed import hints_of, rest_of

REQUIRED = dataclasses.MISSING
"""The default of a field that has none."""


def as_plain(value: Any) -> Any:
    """The same as plain data: what `build` would make it of."""
    if isinstance(value, dict):
        return {key: as_plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(as_plain, value))
    if hints := hints_of(value.__class__):
        rest = rest_of(value.__class__)
        plain = {name: as_plain(getattr(value, name)) for name in hints if name != rest}
        return plain | as_plain(getattr(value, rest)) if rest else plain
    return value


def without_defaults(value: Any) -> Any:
    """The same, without what a configuration need not say: fields of dataclasses that are as they are by default.

    It is what jobs are given and what their digests rest on, so that a new field with a default changes neither.
    """
    if isinstance(value, Mapping):
        return {key: without_defaults(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(without_defaults, value))
    hints = hints_of(value.__class__)
    if not hints:
        return value
    defaults, rest = _defaults(value.__class__), rest_of(value.__class__)
    entries = ((name, getattr(value, name)) for name in hints if name != rest)
    plain = {name: without_defaults(entry) for name, entry in entries if not _same(entry, defaults.get(name, REQUIRED))}
    return plain | without_defaults(getattr(value, rest)) if rest else plain


def _same(one: Any, other: Any) -> bool:
    """Also in kind: yes is not 1."""
    return type(one) is type(other) and bool(one == other)


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    """What each field of a dataclass is where nothing is said; required ones are not among them."""
    fields = dataclasses.fields(kind)
    made = {field.name: field.default_factory() for field in fields if callable(field.default_factory)}
    return {field.name: field.default for field in fields if field.default is not REQUIRED} | made
