"""Manifests: the record beside a file of all that made it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from plumbline.records.closure import Code
from plumbline.records.errors import PlumblineError
from plumbline.records.files import (
    as_json,
    digest_bytes,
    digest_file,
    digest_in_order,
    is_half_written,
    parse_json,
    read_bytes,
    write_bytes,
    write_json,
)
from plumbline.records.parts import Parts, digest_of_used
from plumbline.records.tally import SUFFIX as TALLY
from plumbline.records.times import SUFFIX as TIMES

RESULTS = Path("results")
SUFFIX = ".manifest.json"
UNSIGNED = (SUFFIX, TALLY, TIMES, ".log")
"""Ends of names in `results/` that need no manifest: they tell how a job went, and no result rests on them."""
SEAL = "digest"
CONFIG = "config.json"
INVENTORY = "inventory.json"
WAITING = "waiting.json"
RECORDS = (CONFIG, INVENTORY, WAITING)
"""Files in the results folder that a run writes itself; they are sealed as manifests are."""
SOUND: dict[str, bool] = {}
"""Digests of sealed records that are as they were written, and whether this process has met them: many are read again,
and to see it takes longer than to read them."""
PLUGINS = "plugins"
"""The setting of a job that names the plugins which it imports."""
LOCKS = "envs"
PACKAGES = ("numpy", "pandas", "pyarrow", "scipy", "matplotlib", "snakemake", "hydra-core")
"""Those whose versions every manifest holds; a job may name more."""


@dataclass(frozen=True)
class Setting:
    """A piece of the resolved configuration that a job depends on, with the key it came from."""

    key: str
    value: Any

    @cached_property
    def sha256(self) -> str:
        return digest_in_order(self.value)

    def __repr__(self) -> str:
        return f"Setting({self.key}, {self.sha256[:12]})"


@dataclass(frozen=True)
class Fingerprint:
    """Everything that decides what a job writes. Equal fingerprints: nothing to do."""

    rule: str
    wildcards: dict[str, str]
    inputs: dict[str, str]
    """Digest of each input by path; where only parts of it are used, of those."""
    settings: dict[str, dict[str, str]]
    """Key and digest of each setting by parameter name."""
    code: dict[str, str]
    """Digest of each file of code that decides what the job writes, by path."""
    frame: dict[str, int]
    """Version of each package of the frame around that code."""
    parts: dict[str, list[str]] = field(default_factory=dict)
    """The names of the parts that are used, by the path of an input that is not used as a whole."""


@dataclass(frozen=True)
class JobFiles:
    """The files of one job, as its rule gave them to the script: enough to run the script again."""

    inputs: dict[str, list[str]]
    """Inputs by name, in order."""
    outputs: list[str]
    """All files that the job wrote, in order."""


@dataclass(frozen=True)
class Manifest:
    """One output, the fingerprint of what it was made from and the surroundings it was made in."""

    path: str
    sha256: str
    size: int
    fingerprint: Fingerprint
    job: JobFiles
    settings: dict[str, Any]
    """The settings themselves, so that a result can be recomputed from `results/` alone."""
    commit: str
    dirty: bool
    locks: dict[str, str]
    versions: dict[str, str]
    made_with: dict[str, Any] = field(default_factory=dict)
    """What the job said of itself, e.g. the engine's identity and the device."""
    parts: dict[str, str] = field(default_factory=dict)
    """Digest of each part of the file by name, where the job told parts apart."""


def manifest_path(output: Path) -> Path:
    return output.with_name(output.name + SUFFIX)


def signed(manifest: Path) -> Path:
    """The file that a manifest accounts for, by its name."""
    return manifest.with_name(manifest.name.removesuffix(SUFFIX))


def write_manifest(
    output: Path,
    fingerprint: Fingerprint,
    job: JobFiles,
    settings: Mapping[str, Setting],
    made_with: Mapping[str, Any],
    parts: Parts,
    packages: Sequence[str] = (),
) -> None:
    commit, dirty = revision()
    manifest = Manifest(
        path=output.as_posix(),
        sha256=digest_file(output),
        size=output.stat().st_size,
        fingerprint=fingerprint,
        job=job,
        settings={name: setting.value for name, setting in settings.items()},
        commit=commit,
        dirty=dirty,
        locks=lock_digests(),
        versions=versions(tuple(packages)),
        made_with=dict(made_with),
        parts=dict(parts),
    )
    write_json(manifest_path(output), sealed(asdict(manifest)))


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """A record as it is written: its last entry is a digest of all others."""
    return data | {SEAL: digest_in_order(data)}


def keep_sealed(path: Path, data: dict[str, Any]) -> None:
    """Write a record sealed, unless the very same is there."""
    record = sealed(data)
    with suppress(PlumblineError):
        if digest_in_order(read_sealed(path)) == record[SEAL]:
            return
    write_json(path, record)


def read_sealed(path: Path) -> dict[str, Any]:
    """A sealed record without its seal. Even other white space counts as a change."""
    raw = read_bytes(path)
    data = parse_json(raw, str(path))
    if not isinstance(data, dict) or SEAL not in data:
        raise PlumblineError(f"{path} is not a sealed record", where=str(path), do="remove it")
    content = {name: value for name, value in data.items() if name != SEAL}
    digest = digest_bytes(raw)
    if digest not in SOUND and (data[SEAL] != digest_in_order(content) or as_json(data) != raw):
        raise PlumblineError(f"{path} has been changed since it was written", where=str(path), do="remove it")
    SOUND[digest] = True
    return content


def recall_sound(kept: Path) -> None:
    """Take over which records were as they were written when they were read before."""
    with suppress(OSError, ValueError):
        known = json.loads(kept.read_bytes())
        SOUND.update(dict.fromkeys(map(str, known if isinstance(known, list) else []), False))


def keep_sound(kept: Path) -> None:
    """Write down those that were met."""
    met = sorted(digest for digest, is_met in SOUND.items() if is_met)
    with suppress(PlumblineError):  # only a cache
        write_bytes(kept, json.dumps(met).encode())


def read_manifest(path: Path) -> Manifest:
    data = read_sealed(path)
    try:
        parts = {"fingerprint": Fingerprint(**data["fingerprint"]), "job": JobFiles(**data["job"])}
        return Manifest(**(data | parts))
    except (TypeError, KeyError) as error:
        raise PlumblineError(f"{path} is not a manifest ({error})", where=str(path), do="remove it") from error


def manifests(results: Path) -> list[Path]:
    return sorted(results.rglob(f"*{SUFFIX}"))


def fingerprint_of(
    rule: str,
    wildcards: Mapping[str, str],
    inputs: Mapping[str, str],
    settings: Mapping[str, Setting],
    code: Code,
    parts: Mapping[str, Iterable[str]],
) -> Fingerprint:
    return Fingerprint(
        rule=rule,
        wildcards=dict(wildcards),
        inputs=dict(sorted(inputs.items())),
        settings={name: {"key": s.key, "sha256": s.sha256} for name, s in sorted(settings.items())},
        code=dict(code.files),
        frame=dict(code.frame),
        parts={path: sorted(set(names)) for path, names in sorted(parts.items())},
    )


def digest_of_input(path: Path, names: Iterable[str] | None) -> str:
    """What a fingerprint holds of an input: its digest, or that of these parts of it as its manifest has them."""
    return digest_file(path) if names is None else digest_of_used(read_manifest(manifest_path(path)).parts, names)


@lru_cache(maxsize=1)
def revision() -> tuple[str, bool]:
    """The commit the code stands at, and whether files differ from it."""
    try:
        commit = _git("rev-parse", "HEAD")
        return commit, bool(_git("status", "--porcelain", "--untracked-files=no"))
    except (OSError, subprocess.CalledProcessError):
        return "", True


def _git(*words: str) -> str:
    home = Path(__file__).resolve().parent
    done = subprocess.run(["git", "-C", str(home), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@lru_cache(maxsize=1)
def lock_digests() -> dict[str, str]:
    return {path.as_posix(): digest_file(path) for path in sorted(Path(LOCKS).glob("*.txt"))}


@lru_cache(maxsize=2)
def versions(packages: tuple[str, ...] = ()) -> dict[str, str]:
    """Of Python, and of those packages that are installed."""
    by_package = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in (*PACKAGES, *packages):
        try:
            by_package[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return by_package


def outputs_without_manifest(results: Path, known: Sequence[Path]) -> list[Path]:
    """Files that nothing accounts for, e.g. left by a job that was killed before it could sign them."""
    covered = {signed(path) for path in known} | {results / name for name in RECORDS}
    files = (path for path in results.rglob("*") if path.is_file() and not path.name.endswith(UNSIGNED))
    return sorted(path for path in files if path not in covered and not is_half_written(path))
