"""Manifests: the record beside a file of all that made it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from plumbline.closure import Code
from plumbline.errors import PlumblineError
from plumbline.files import digest_file, digest_in_order, read_json, write_json
from plumbline.tally import SUFFIX as TALLY

RESULTS = Path("results")
SUFFIX = ".manifest.json"
UNSIGNED = (SUFFIX, TALLY, ".log", ".part")
"""Ends of names in `results/` that need no manifest: they tell how a job went, and no result rests on them."""
SEAL = "digest"
LOCKS = "envs"
PACKAGES = ("numpy", "pandas", "pyarrow", "scipy", "snakemake", "hydra-core", "torch", "transformers", "vllm")


@dataclass(frozen=True)
class Setting:
    """A piece of the resolved configuration that a job depends on, with the key it came from."""

    key: str
    value: Any

    @property
    def sha256(self) -> str:
        return digest_in_order(self.value)

    def __repr__(self) -> str:
        return f"Setting({self.key}, {self.sha256[:12]})"


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what a job writes. Equal recipes: nothing to do."""

    rule: str
    wildcards: dict[str, str]
    inputs: dict[str, str]
    """Digest of each input by path."""
    settings: dict[str, dict[str, str]]
    """Key and digest of each setting by parameter name."""
    code: dict[str, str]
    """Digest of each file of the code closure by path."""


@dataclass(frozen=True)
class Manifest:
    """One output, the recipe it was made by and the surroundings it was made in."""

    path: str
    sha256: str
    size: int
    recipe: Recipe
    settings: dict[str, Any]
    """The settings themselves, so that a result can be recomputed from `results/` alone."""
    commit: str
    dirty: bool
    locks: dict[str, str]
    versions: dict[str, str]
    made_with: dict[str, Any] = field(default_factory=dict)
    """What the job said of itself, e.g. the engine's identity and the device."""


def manifest_path(output: Path) -> Path:
    return output.with_name(output.name + SUFFIX)


def signed(manifest: Path) -> Path:
    """The file that a manifest accounts for, by its name."""
    return manifest.with_name(manifest.name.removesuffix(SUFFIX))


def write_manifest(output: Path, recipe: Recipe, settings: Mapping[str, Setting], made_with: Mapping[str, Any]) -> None:
    commit, dirty = revision()
    manifest = Manifest(
        path=output.as_posix(),
        sha256=digest_file(output),
        size=output.stat().st_size,
        recipe=recipe,
        settings={name: setting.value for name, setting in settings.items()},
        commit=commit,
        dirty=dirty,
        locks=lock_digests(),
        versions=versions(),
        made_with=dict(made_with),
    )
    write_json(manifest_path(output), sealed(asdict(manifest)))


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """A manifest as it is written: its last entry is a digest of all others."""
    return data | {SEAL: digest_in_order(data)}


def read_manifest(path: Path) -> Manifest:
    data = read_json(path)
    try:
        seal = data.pop(SEAL)
        manifest = Manifest(**(data | {"recipe": Recipe(**data["recipe"])}))
    except (TypeError, KeyError, AttributeError) as error:
        raise PlumblineError(f"{path} is not a manifest ({error})", where=str(path), do="remove it") from error
    if digest_in_order(data) != seal:
        raise PlumblineError(f"{path} has been changed since it was written", where=str(path), do="remove it")
    return manifest


def manifests(results: Path) -> list[Path]:
    return sorted(results.rglob(f"*{SUFFIX}"))


def recipe_of(
    rule: str, wildcards: Mapping[str, str], inputs: Mapping[str, str], settings: Mapping[str, Setting], code: Code
) -> Recipe:
    return Recipe(
        rule=rule,
        wildcards=dict(wildcards),
        inputs=dict(sorted(inputs.items())),
        settings={name: {"key": s.key, "sha256": s.sha256} for name, s in sorted(settings.items())},
        code=dict(code.files),
    )


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


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def outputs_without_manifest(results: Path, known: Sequence[Path]) -> list[Path]:
    """Built files that nothing accounts for: left by a job that was killed before it could sign them."""
    covered = {signed(path) for path in known}
    files = (path for path in results.glob("*/**/*") if path.is_file() and not path.name.endswith(UNSIGNED))
    return sorted(path for path in files if path not in covered)
