"""A prompt that stands as a string in somebody's YAML file."""

from __future__ import annotations

import re
from typing import Any

import yaml

from plumbline.records.errors import PlumblineError, nearest

NAMED = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])*(?:\.[A-Za-z_]\w*(?:\[\d+\])*)*")
KEY = re.compile(r"\w+")


def yaml_string_in(text: str, named: str, where: str) -> str:
    """The string at a place of YAML, e.g. `agents[0].description`: keys joined by dots, places in lists from 0."""
    if not NAMED.fullmatch(named):
        raise PlumblineError(f"{named!r} names no string", where=where, expected="KEY, KEY.KEY, KEY[0].KEY, …")
    value = _parsed(text, where)
    for key in keys_of(named):
        value = _below(value, key, named, where)
    if not isinstance(value, str):
        raise PlumblineError(f"there is no string at {named!r}", where=where, found=f"{value!r:.120}")
    return value


def keys_of(named: str) -> list[str | int]:
    """The keys and the places in lists that lead to a string."""
    return [int(key) if key.isdecimal() else key for key in KEY.findall(named)]


def _parsed(text: str, where: str) -> Any:
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PlumblineError(f"YAML cannot be read ({' '.join(str(error).split())})", where=where) from error


def _below(value: Any, key: str | int, named: str, where: str) -> Any:
    if isinstance(key, int):
        if isinstance(value, list) and key < len(value):
            return value[key]
        found = f"{len(value)} there" if isinstance(value, list) else f"{value!r:.120}"
        raise PlumblineError(f"no [{key}] of a list on the way to {named!r}", where=where, found=found)
    if isinstance(value, dict) and key in value:
        return value[key]
    there = value if isinstance(value, dict) else ()
    raise PlumblineError(f"no key {key!r} on the way to {named!r}", where=where, do=nearest(key, there))
