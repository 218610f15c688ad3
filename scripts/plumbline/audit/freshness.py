"""Which results still stand: decided by digests, told to Snakemake by the one thing it looks at, mtimes.

Snakemake reruns a job when an input is newer than its output. Before it looks, `settle` compares each output's
manifest with the files, settings and code as they are now. What still stands is made as new as its newest input, so
that touching or copying files reruns nothing, with or without `.snakemake/`. What does not is made older than
everything, so that exactly it is made again, and after it what rests on it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from plumbline.records.digests import Digests
from plumbline.records.errors import PlumblineError
from plumbline.records.manifest import Manifest, Recipe, manifests, outputs_without_manifest, read_manifest, signed

STALE = 1.0
"""The mtime of what does not stand (0 would mean `no mtime` to Snakemake)."""


@dataclass(frozen=True)
class Settled:
    """What was found: outputs that stand, and those that do not with the reason."""

    fresh: list[str]
    stale: dict[str, str]


def settle(results: Path, digests: Digests, setting_digest: Callable[[str], str | None]) -> Settled:
    """Compare all manifests with the present and set the outputs' mtimes accordingly."""
    found = manifests(results)
    stale: dict[str, str] = {}
    standing: dict[str, Manifest] = {}
    for path in found:
        try:
            manifest = read_manifest(path)
        except PlumblineError as error:
            stale[signed(path).as_posix()] = str(error)
            continue
        reason = why_stale(manifest, digests, setting_digest)
        if reason:
            stale[manifest.path] = reason
        else:
            standing[manifest.path] = manifest
    for unsigned in outputs_without_manifest(results, found):
        stale[unsigned.as_posix()] = "no manifest accounts for it"
    for output in stale:
        _age(Path(output))
    renew({path: manifest.recipe.inputs for path, manifest in standing.items()})
    digests.save()
    return Settled(sorted(standing), stale)


def why_stale(manifest: Manifest, digests: Digests, setting_digest: Callable[[str], str | None]) -> str:
    """The first thing that is no longer as it was, or nothing."""
    if digests.of(Path(manifest.path)) != manifest.sha256:
        return "its own bytes have changed"
    return changed(manifest.recipe, digests, setting_digest)


def changed(recipe: Recipe, digests: Digests, setting_digest: Callable[[str], str | None]) -> str:
    for path, sha256 in recipe.code.items():
        if digests.of(Path(path)) != sha256:
            return f"the code {path} has changed"
    for name, setting in recipe.settings.items():
        if setting_digest(setting["key"]) not in (setting["sha256"], None):
            return f"the setting {setting['key']} ({name}) has changed"
    for path, sha256 in recipe.inputs.items():
        if digests.of(Path(path)) not in (sha256, None):
            return f"the input {path} has changed"
    return ""


def _age(path: Path) -> None:
    if path.exists() and path.stat().st_mtime != STALE:
        os.utime(path, (STALE, STALE))


def renew(inputs: Mapping[str, Iterable[str]]) -> None:
    """Make each of these outputs no older than its inputs, those first."""
    newest: dict[str, int] = {}

    def settled(name: str) -> int:
        """The time that a file has from now on; many files rest on it, and each asks."""
        if name not in newest:
            path = Path(name)
            mtime = path.stat().st_mtime_ns if name in inputs or path.exists() else 0
            newest[name] = max([mtime, *map(settled, inputs.get(name, ()))])
            if newest[name] > mtime:
                os.utime(path, ns=(newest[name], newest[name]))
        return newest[name]

    for output in inputs:
        settled(output)
