"""Manifests of files that no job wrote, for tests of what is read from manifests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plumbline.records.manifest import Fingerprint, JobFiles, Manifest


def fingerprint(rule: str, inputs: Mapping[str, str] | None = None, **more: Any) -> Fingerprint:
    """That of a job of a rule; what is not named is empty."""
    return Fingerprint(
        **({"wildcards": {}, "settings": {}, "code": {}, "frame": {}} | more), rule=rule, inputs=dict(inputs or {})
    )


def manifest(path: str, made_from: Fingerprint, **more: Any) -> Manifest:
    """The manifest of a job's only file; what is not named is empty."""
    surroundings = {"settings": {}, "commit": "", "dirty": False, "locks": {}, "versions": {}}
    return Manifest(
        **({"sha256": "0", "size": 1} | surroundings | more), path=path, fingerprint=made_from, job=JobFiles({}, [path])
    )
