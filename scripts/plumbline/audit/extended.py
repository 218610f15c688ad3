"""What is only extended: a job that will run again, for something new, and give all else as it is.

One job asks a model with all protocols of a benchmark, and one file holds what came of it. With a protocol added both
are made anew. Of the protocols that were there before they will say the same if these are declared as they were, the
code that was used is as it was, and so is all that the job was made from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline.audit.asking_rules import TRANSCRIBING
from plumbline.audit.freshness import Present
from plumbline.records.errors import PlumblineError
from plumbline.records.manifest import Manifest, manifest_path, read_manifest

BY_PART = ("asked",)
"""Settings that hold one entry for each part."""
GROWING: dict[str, tuple[str, ...]] = {"worded": (), "parsing": ("wordings",), "plugins": ()}
"""Settings to which a new part may add entries, and the way down to these. What was there must stay."""


@dataclass(frozen=True)
class Extensions:
    """Decided from manifests, and the configuration and code as they are now."""

    present: Present

    def only(self, path: str, names: Iterable[str], in_doubt: Callable[[str], bool]) -> bool:
        """Whether a file with parts is only extended by others than these."""
        link, wanted = self.present.links.get(path), frozenset(names)
        return link is not None and wanted <= link.parts.keys() and self._stays(link, wanted, in_doubt)

    def _stays(self, link: Manifest, names: frozenset[str], in_doubt: Callable[[str], bool]) -> bool:
        if not self.present.holds(link) or self.present.runs_otherwise(link.fingerprint):
            return False
        if not all(self._setting_stays(link, name, names) for name in link.fingerprint.settings):
            return False
        return all(self._input_stays(link, path, names, in_doubt) for path in link.fingerprint.inputs)

    def _setting_stays(self, link: Manifest, name: str, names: frozenset[str]) -> bool:
        recorded = link.fingerprint.settings[name]
        if self.present.setting_digest(recorded["key"]) == recorded["sha256"]:
            return True
        try:
            now = json.loads(json.dumps(self.present.setting(recorded["key"])))
        except PlumblineError:
            return False
        was = link.settings[name]
        if name in BY_PART:
            return all(part in was and part in now and same(was[part], now[part]) for part in names)
        return name in GROWING and grown(was, now, GROWING[name])

    def _input_stays(self, link: Manifest, path: str, names: frozenset[str], in_doubt: Callable[[str], bool]) -> bool:
        """Transcripts may be extended as well; everything else stands, and is what it was."""
        if not in_doubt(path):
            used = link.fingerprint.parts.get(path)
            return self.present.input_digest(path, used) == link.fingerprint.inputs[path]
        transcripts = self.present.links.get(path)
        return (
            transcripts is not None
            and transcripts.fingerprint.rule in TRANSCRIBING
            and self._stays(transcripts, names, in_doubt)
        )


def grown(was: Any, now: Any, way: Sequence[str] = ()) -> bool:
    """Whether all is as it was, but for entries that were added at the end of a way down."""
    if way:
        name, *further = way
        return all(
            grown(was.get(one), now.get(one), further) if one == name else same(was.get(one), now.get(one))
            for one in was.keys() | now.keys()
        )
    if isinstance(was, Mapping):
        return all(name in now and same(was[name], now[name]) for name in was)
    return bool([one for one in now if one in was] == was)


def came_out_otherwise(expected: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Of parts that should have stayed, by file, those that did not: e.g. asked anew without the store of answers."""
    changed = []
    for path, parts in expected.items():
        now = read_manifest(manifest_path(Path(path))).parts
        changed += [f"{path} ({name})" for name, digest in parts.items() if now.get(name) != digest]
    return changed


def same(was: Any, now: Any) -> bool:
    """Equal, and in the same order: settings are digested so."""
    return json.dumps(was) == json.dumps(now)
