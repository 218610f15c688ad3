"""Digests that are taken once, and again only of files that were touched."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from plumbline.records.files import digest_file, write_json


@dataclass
class Digests:
    """File digests, remembered while a file's size, times and inode stay the same."""

    path: Path
    known: dict[str, list[object]] = field(default_factory=dict)
    changed: bool = False

    @classmethod
    def load(cls, path: Path) -> Digests:
        try:
            known = json.loads(path.read_bytes())
        except (OSError, ValueError):
            known = {}
        return cls(path, known if isinstance(known, dict) else {})

    def of(self, file: Path | str) -> str | None:
        """The file's digest, or None where there is no such file."""
        name = os.path.abspath(file)  # noqa: PTH100 - asked of thousands of files at every start
        try:
            stat = os.stat(name)  # noqa: PTH116
        except OSError:
            return None
        state = [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]
        if self.known.get(name, [None])[:-1] != state:
            self.known[name] = [*state, digest_file(Path(name))]
            self.changed = True
        return str(self.known[name][-1])

    def save(self) -> None:
        if self.changed:
            write_json(self.path, self.known)
