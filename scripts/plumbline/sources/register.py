"""Writing into a source's file: its digests beside it, its revision within; whatever else stands there stays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import yaml

from plumbline.config.source import Source
from plumbline.config.typed import build
from plumbline.records.errors import PlumblineError
from plumbline.records.files import as_text, read_bytes, write_text

WAITING = "# Waiting:"
"""Begins the line of a comment that is true only as long as a source is not pinned."""


def register(folder: Path, name: str, source: Source, pins: Mapping[str, str]) -> list[Path]:
    """Pin these files of a source, at its URL and revision; gives the files that were written."""
    declared = folder / f"{name}.yaml"
    digests = folder / (source.pins or f"{name}.sha256")
    wanted = {"url": source.url, "revision": source.revision, "pins": digests.name}
    text = with_values(
        as_text(read_bytes(declared), str(declared)), {key: word for key, word in wanted.items() if word}
    )
    expected = asdict(source) | wanted
    written = build(Source, yaml.safe_load(text), f"source.{name}")
    if asdict(written) != expected:
        raise PlumblineError(
            "the source's file is written in a way that cannot be changed line by line",
            where=str(declared),
            do="write these values into it yourself: " + ", ".join(f"{key}: {word}" for key, word in wanted.items()),
        )
    write_text(digests, "".join(f"{digest}  {path}\n" for path, digest in sorted(pins.items())))
    write_text(declared, text)
    return [digests, declared]


def with_values(text: str, values: Mapping[str, str]) -> str:
    """A file of `key: value` lines with these values, in its own order; further keys come at the end."""
    lines = [line for line in text.splitlines() if not line.startswith(WAITING)]
    for key, word in values.items():
        places = [place for place, line in enumerate(lines) if re.match(rf"{key}\s*:", line)]
        if places:
            lines[places[0]] = _changed(lines[places[0]], key, word)
        else:
            lines.append(f"{key}: {_quoted(word)}")
    return "\n".join(lines) + "\n"


def _changed(line: str, key: str, word: str) -> str:
    """A line with another value, which keeps its comment; unchanged where it says the same already."""
    if yaml.safe_load(line) == {key: word}:
        return line
    comment = re.search(r"\s+#.*$", line)
    return f"{key}: {_quoted(word)}{comment[0] if comment else ''}"


def _quoted(word: str) -> str:
    """Text that YAML reads as text: a revision of digits alone would be a number."""
    return word if yaml.safe_load(word) == word else f'"{word}"'
