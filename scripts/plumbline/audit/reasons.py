"""Why a file does not stand: what of that which made it is not as it was, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from plumbline.records.closure import is_own
from plumbline.records.plugins import SCRIPTS

Kind = Literal["bytes", "code", "frame", "setting", "input", "manifest", "missing", "forced", "follows"]
SHOWN = 10
NAMED = 3
"""Files or settings that a reason names."""
WIDTH = 48
"""Of a value that is shown, at most."""
NOTHING = object()


@dataclass(frozen=True)
class StaleReason:
    """One reason why a file is made, and what it is about."""

    kind: Kind
    about: tuple[str, ...] = ()
    """Paths, or the keys of settings with what changed in them."""

    def __str__(self) -> str:
        return SENTENCES[self.kind].format(shortened(self.about, NAMED))


SENTENCES: dict[Kind, str] = {
    "bytes": "its own bytes changed",
    "code": "code {} changed",
    "frame": "a new version of the frame ({})",
    "setting": "settings {}",
    "input": "input {} changed",
    "manifest": "{}",
    "missing": "{}",
    "forced": "forced (--force), or left incomplete by a job that was stopped",
    "follows": "follows from {}",
}
NEVER_MADE = StaleReason("missing", ("never made",))
CHANGED = StaleReason("bytes")
DELETED = StaleReason("missing", ("deleted",))
FORCED = StaleReason("forced")
INTERRUPTED = StaleReason("missing", ("left incomplete by a job that was stopped",))
NO_MANIFEST = StaleReason("manifest", ("no manifest accounts for it",))
BROKEN_MANIFEST = StaleReason("manifest", ("its manifest cannot be read, or was changed",))


def shortened(words: Sequence[str], most: int = SHOWN) -> str:
    """The first of them, and how many more there are."""
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def short_path(path: str) -> str:
    """A file of the library by its path in there; any other as it is."""
    library = f"{SCRIPTS.name}/plumbline/"
    return path if is_own(path) else path.removeprefix(library)


def changes(key: str, was: Any, now: Any) -> list[str]:
    """What changed in a setting, value by value: `judge.smollm2.model.dtype: auto → bfloat16`."""
    return [worded(*change) for change in differences(key, plain(was), plain(now))]


def differences(key: str, was: Any, now: Any) -> Iterator[tuple[str, Any, Any]]:
    """The innermost values that differ, with the way to each."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in dict.fromkeys([*was, *now]):
            yield from differences(f"{key}.{name}", was.get(name, NOTHING), now.get(name, NOTHING))
        if was == now and list(was) != list(now):
            yield key, list(was), list(now)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for number, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from differences(f"{key}.{number}", one, other)
    elif was != now:
        yield key, was, now


def worded(key: str, was: Any, now: Any) -> str:
    if was is NOTHING:
        return f"{key}: not set → {value(now)}"
    if now is NOTHING:
        return f"{key}: {value(was)} → not set"
    return f"{key}: {value(was)} → {value(now)}"


def value(any_value: Any) -> str:
    """A value on one line; a long one by its beginning."""
    text = any_value if isinstance(any_value, str) and any_value else json.dumps(any_value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


def plain(any_value: Any) -> Any:
    """A value as it is in a manifest."""
    return json.loads(json.dumps(any_value))
