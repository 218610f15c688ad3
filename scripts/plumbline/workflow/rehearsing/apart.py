"""Where a rehearsal lies: a folder beside the results, in which all paths that runs and commands use mean the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from plumbline.config.groups import YamlLoader
from plumbline.records.errors import PlumblineError
from plumbline.records.files import read_bytes

FOLDER = "rehearsal"
LINKED = ("Snakefile", "config", "scripts", "rules", "envs", "profiles")
"""What a run or a command reads by its path from the folder that it is started in."""


def folder_apart(base: Path, settings: Mapping[str, Any]) -> Path | None:
    """Where an experiment that is a rehearsal is run; none for any other. The folder is made with all that it needs."""
    here = Path.cwd()
    is_apart = here.name == FOLDER and (here / LINKED[0]).is_symlink()
    if not is_rehearsal(base, str(settings.get("experiment") or "")):
        if is_apart:
            raise PlumblineError(
                "this is a rehearsal's folder, where nothing real is built", where=str(here), do=f"cd {here.parent}"
            )
        return None
    apart = here if is_apart else here / FOLDER
    apart.mkdir(exist_ok=True)
    for name in LINKED:
        if not (apart / name).is_symlink():
            (apart / name).symlink_to(base / name)
    return apart


def is_rehearsal(base: Path, experiment: str) -> bool:
    """Whether an experiment's file says so; what is wrong with it is named when the configuration is composed."""
    file = base / "config" / "experiment" / f"{experiment}.yaml"
    declared = yaml.load(read_bytes(file), YamlLoader) if file.is_file() else None
    return isinstance(declared, Mapping) and bool(declared.get("rehearsal"))
