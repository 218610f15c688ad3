"""The licence that data itself declares: in its archive, beside it in its repository, or on its page on a hub."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterable
from pathlib import PurePosixPath

import yaml

from plumbline.sources.download import TIMEOUT

FILE = re.compile(r"(LICEN[CS]E|COPYING)(\.(md|txt|rst))?", re.IGNORECASE)
ON_A_HUB = re.compile(r"^(https?://[^/]+(?:/datasets)?/[^/]+/[^/]+/resolve/[^/]+)/")
IN_A_REPOSITORY = re.compile(r"^(https://raw\.githubusercontent\.com/[^/]+/[^/]+/[^/]+)/")
LONGEST = 1 << 20
"""Bytes of a page that are looked at."""
SHOWN = 80


def licences_in(files: Iterable[tuple[str, bytes]]) -> list[str]:
    """The first line of each licence file of an archive."""
    lines = (first_line(data) for name, data in files if FILE.fullmatch(PurePosixPath(name).name))
    return [line for line in dict.fromkeys(lines) if line]


def licences_of(url: str) -> list[str]:
    """What the page of a hub's data set declares, or the licence file of the repository that a file lies in."""
    if hub := ON_A_HUB.match(url):
        return in_front_matter(_page(f"{hub[1]}/README.md"))
    if repository := IN_A_REPOSITORY.match(url):
        line = first_line(_page(f"{repository[1]}/LICENSE"))
        return [line] if line else []
    return []


def in_front_matter(page: bytes) -> list[str]:
    """The licences in the head of a data set's page, as hubs have it."""
    head = re.match(r"---\r?\n(.*?)\r?\n---", page.decode("utf-8", "replace"), re.DOTALL)
    try:
        declared = yaml.safe_load(head[1]) if head else None
    except yaml.YAMLError:
        return []
    licence = declared.get("license") if isinstance(declared, dict) else None
    names = licence if isinstance(licence, list) else [licence]
    return [str(name)[:SHOWN] for name in names if name]


def first_line(data: bytes) -> str:
    lines = (line.strip() for line in data[:LONGEST].decode("utf-8", "replace").splitlines())
    return next((line[:SHOWN] for line in lines if line), "")


def _page(url: str) -> bytes:
    """What stands there, or nothing: that a licence is not found is no reason to stop."""
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT) as response:
            return bytes(response.read(LONGEST))
    except (OSError, ValueError):
        return b""
