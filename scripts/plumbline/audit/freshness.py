"""Which results still stand: decided by digests, told to Snakemake by the one thing it looks at, mtimes.

Snakemake reruns a job when an input is newer than its output. Before it looks, `mark_stale` compares each output's
manifest with the files, settings and code as they are now. What still stands is made as new as its newest input, so
that touching or copying files reruns nothing, with or without `.snakemake/`. What does not is made older than
everything, so that exactly it is made again, and after it what rests on it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plumbline.audit.reasons import (
    BROKEN_MANIFEST,
    CHANGED,
    DELETED,
    NO_MANIFEST,
    Kind,
    StaleReason,
    changes,
    short_path,
)
from plumbline.records.closure import versions_of_frame
from plumbline.records.digests import Digests
from plumbline.records.errors import PlumblineError
from plumbline.records.manifest import Fingerprint, Manifest, manifests, outputs_without_manifest, read_manifest, signed
from plumbline.records.parts import digest_of_used

STALE = 1.0
"""The mtime of what does not stand (0 would mean `no mtime` to Snakemake)."""
Reasons = tuple[StaleReason, ...]
SettingDigest = Callable[[str], str | None]


@dataclass(frozen=True)
class Freshness:
    """Outputs that stand, and those that do not with the reasons."""

    fresh: list[str]
    stale: dict[str, Reasons]
    links: Mapping[str, Manifest] = field(default_factory=dict, compare=False, repr=False)
    """All manifests that could be read, by the output that each accounts for."""


@dataclass(frozen=True)
class Present:
    """Files, settings and code as they are now."""

    digests: Digests
    setting_digest: SettingDigest
    """By its key; None where this experiment has no such setting."""
    setting: Callable[[str], Any]
    links: Mapping[str, Manifest]
    known: dict[str, str | None] = field(default_factory=dict, compare=False, repr=False)

    def why_stale(self, manifest: Manifest) -> Reasons:
        """What is no longer as it was. Changed inputs count only where nothing else changed."""
        if not self.holds(manifest):
            return (CHANGED if Path(manifest.path).exists() else DELETED,)
        code = [short_path(path) for path in self.changed_code(manifest.fingerprint)]
        frame = list(self.changed_frame(manifest.fingerprint))
        settings = [line for name in manifest.fingerprint.settings for line in self.changed_setting(manifest, name)]
        inputs = [] if code or frame or settings else list(self.changed_inputs(manifest.fingerprint))
        possible: dict[Kind, list[str]] = {"code": code, "frame": frame, "setting": settings, "input": inputs}
        return tuple(StaleReason(kind, tuple(about)) for kind, about in possible.items() if about)

    def holds(self, manifest: Manifest) -> bool:
        """Whether a file is the one that its manifest accounts for."""
        return self.digest(manifest.path) == manifest.sha256

    def digest(self, path: str) -> str | None:
        """Of a file as it is when it is asked for first: most files are behind many others."""
        if path not in self.known:
            self.known[path] = self.digests.of(path)
        return self.known[path]

    def runs_otherwise(self, fingerprint: Fingerprint) -> bool:
        """Whether its code, or the frame around it, is another one."""
        return any(self.changed_code(fingerprint)) or any(self.changed_frame(fingerprint))

    def changed_code(self, fingerprint: Fingerprint) -> Iterator[str]:
        """The files of its code that have changed."""
        return (path for path, sha256 in fingerprint.code.items() if self.digest(path) != sha256)

    def changed_frame(self, fingerprint: Fingerprint) -> Iterator[str]:
        """The packages of the frame that have another version."""
        for package, version in fingerprint.frame.items():
            if (now := versions_of_frame().get(package, 0)) != version:
                yield f"{package}: {version} → {now}"

    def changed_setting(self, manifest: Manifest, name: str) -> list[str]:
        """What changed in a setting; nothing where this experiment has no such setting."""
        recorded = manifest.fingerprint.settings[name]
        if self.setting_digest(recorded["key"]) in (recorded["sha256"], None):
            return []
        lines = changes(recorded["key"], manifest.settings.get(name), self.setting(recorded["key"]))
        return lines or [f"{recorded['key']}: in another order"]

    def changed_inputs(self, fingerprint: Fingerprint) -> Iterator[str]:
        for path, sha256 in fingerprint.inputs.items():
            if self.input_digest(path, fingerprint.parts.get(path)) not in (sha256, None):
                yield path

    def input_digest(self, path: str, names: Iterable[str] | None) -> str | None:
        """The digest of an input, or of the parts of it that are used; None where there is no such file."""
        whole = self.digest(path)
        if names is None or whole is None or path not in self.links:
            return whole
        return digest_of_used(self.links[path].parts, names)


def mark_stale(
    results: Path, digests: Digests, setting_digest: SettingDigest, setting: Callable[[str], Any]
) -> Freshness:
    """Compare all manifests with the present and set the outputs' mtimes accordingly."""
    paths = manifests(results)
    links, stale = _readable(paths)
    present = Present(digests, setting_digest, setting, links)
    stale |= {path: reasons for path, manifest in links.items() if (reasons := present.why_stale(manifest))}
    stale |= {path.as_posix(): (NO_MANIFEST,) for path in outputs_without_manifest(results, paths)}
    for output in stale:
        _age(Path(output))
    renew({path: manifest.fingerprint.inputs for path, manifest in links.items() if path not in stale})
    digests.save()
    return Freshness(sorted(links.keys() - stale.keys()), stale, links)


def _readable(paths: Iterable[Path]) -> tuple[dict[str, Manifest], dict[str, Reasons]]:
    """The manifests by the outputs they account for, and why others cannot be read."""
    links: dict[str, Manifest] = {}
    problems: dict[str, Reasons] = {}
    for path in paths:
        try:
            manifest = read_manifest(path)
            links[manifest.path] = manifest
        except PlumblineError:
            problems[signed(path).as_posix()] = (BROKEN_MANIFEST,)
    return links, problems


def _age(path: Path) -> None:
    if path.exists() and path.stat().st_mtime != STALE:
        os.utime(path, (STALE, STALE))


def renew(inputs: Mapping[str, Iterable[str]]) -> None:
    """Make each of these outputs no older than its inputs, those first."""
    newest: dict[str, int] = {}

    def newest_input(name: str) -> int:
        """The time that a file has from now on; many files rest on it, and each asks."""
        if name not in newest:
            path = Path(name)
            mtime = path.stat().st_mtime_ns if name in inputs or path.exists() else 0
            newest[name] = max([mtime, *map(newest_input, inputs.get(name, ()))])
            if newest[name] > mtime:
                os.utime(path, ns=(newest[name], newest[name]))
        return newest[name]

    for output in inputs:
        newest_input(output)
