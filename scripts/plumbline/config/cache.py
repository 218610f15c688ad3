"""Composing the configuration takes a third of a second, and each job on a cluster node would spend it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_file, digest_value, read_bytes, write_text

ENVIRONMENT = b"oc.env"
"""Whoever lets a setting follow the environment has it composed anew each time."""


def composed(folder: Path, overrides: Sequence[str], kept: Path | None, compose: Callable[[], Any]) -> Any:
    """What `compose` makes of the files under `folder`, or made of the same before; `kept` is where to look."""
    files = sorted(path for path in folder.rglob("*.yaml") if path.is_file())
    if kept is None or any(ENVIRONMENT in read_bytes(file) for file in files) or "oc.env" in " ".join(overrides):
        return compose()
    digests = [[file.relative_to(folder).as_posix(), digest_file(file)] for file in files]
    key = digest_value([digests, list(overrides), version("hydra-core"), version("omegaconf")])
    with suppress(OSError, ValueError, KeyError, TypeError):
        known = json.loads(kept.read_bytes())
        if known["key"] == key:
            return known["plain"]
    plain = compose()
    text = json.dumps({"key": key, "plain": plain})  # in the order of the files: it is part of what they say
    if json.loads(text)["plain"] == plain:
        with suppress(PlumblineError):  # only a cache
            write_text(kept, text)
    return plain
