"""The files of `config/` as one mapping: each file under its group and name, overrides and references by Hydra.

Hydra takes more than a second for a hundred files, and nearly all are as plain as they look. So what no override names
is read here, and Hydra is given the rest: the experiment, the groups that overrides reach into, files that inherit
from others by a defaults list, and the groups on both sides of a reference, `${…}`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from plumbline.records.errors import PlumblineError
from plumbline.records.files import read_bytes

GROUPS = (
    *("source", "pool", "benchmark", "filter", "scale", "construct", "step"),
    *("model", "engine", "protocol", "prompts", "table"),
)
HYDRAS = re.compile(rb"^defaults:|^#\s*@package", re.MULTILINE)
"""In files that only Hydra can read."""
REFERENCE = re.compile(r"\$\{\s*(\w*)")
"""A value that refers to another one, by its group, by dots or by a resolver of Hydra's."""
FLOAT = re.compile(r"^[-+]?(\d[\d_]*\.?\d*|\.\d+)[eE][-+]?\d+$")
"""What YAML 1.1 takes for text, and Hydra and everybody else for a number."""
Named = dict[str, Any]


class Loader(yaml.CSafeLoader):
    """YAML as Hydra reads it: a key may stand only once, and a date is text."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        known: set[str] = set()
        for key, _ in node.value:
            if key.value in known:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value!r} stands twice", key.start_mark
                )
            known.add(key.value)
        return super().construct_mapping(node, deep)


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if not tag.endswith(":timestamp")]
    for first, found in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:float", FLOAT, list("-+.0123456789"))


@dataclass(frozen=True)
class File:
    """A file of a group; `place` is its group, and for a table the paper, then its name."""

    path: Path
    place: tuple[str, ...]
    data: bytes

    @property
    def inherits(self) -> bool:
        return bool(HYDRAS.search(self.data))

    @property
    def override(self) -> str:
        """How Hydra is asked for it."""
        *group, name = self.place
        return f"+{'/'.join(group)}@{'.'.join(self.place)}={name}"


def read_groups(folder: Path, experiment: str, overrides: str) -> Named:
    """All groups under `folder` and the experiment, overridden, and with references followed."""
    files = list(files_of(folder))
    asked = forced(overrides)
    for_hydra = {re.split(r"[.=@/]", override.lstrip("+~"))[0] for override in asked}
    for_hydra |= {file.place[0] for file in files if file.inherits}
    for_hydra |= referred(overrides)
    for file in files:
        if groups := referred(file.data.decode(errors="replace")):
            for_hydra |= {file.place[0], *groups}
    plain: Named = {group: {} for group in GROUPS}
    for file in files:
        if not file.inherits:
            put(plain, file)
    inheriting = [file.override for file in files if file.inherits]
    known = {group: plain.pop(group) for group in GROUPS if group in for_hydra}
    chosen = [*inheriting, f"+experiment={experiment}"]
    return plain | by_hydra(folder, known, [*chosen, *asked], f"{folder}, experiment={experiment}, hydra={overrides!r}")


def referred(text: str) -> set[str]:
    """The groups that references may lead to: all, where one does not begin with the name of a group."""
    words = set(REFERENCE.findall(text))
    return words if words <= set(GROUPS) else set(GROUPS)


def files_of(folder: Path) -> Iterator[File]:
    """Group by group, and in each by name."""
    for group in GROUPS:
        for path in sorted((folder / group).glob("*/*.yaml" if group == "table" else "*.yaml")):
            yield File(path, path.relative_to(folder).with_suffix("").parts, read_bytes(path))


def put(plain: Named, file: File) -> None:
    *above, name = file.place
    for word in above:
        plain = plain.setdefault(word, {})
    try:
        plain[name] = yaml.load(file.data, Loader) or {}
    except yaml.YAMLError as error:
        said = str(error).replace('"<byte string>"', str(file.path))
        raise PlumblineError("a configuration file is not YAML", where=" ".join(said.split())) from error


def by_hydra(folder: Path, known: Named, overrides: Sequence[str], where: str) -> Named:
    """What Hydra composes of plain groups, of files it is asked for, and of overrides."""
    from hydra import compose, initialize_config_dir
    from hydra.core.config_store import ConfigStore
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        ConfigStore.instance().store("plumbline", known)
        with initialize_config_dir(config_dir=str(folder.resolve()), version_base="1.3"):
            found: Any = OmegaConf.to_container(compose("plumbline", list(overrides)), resolve=True)
            return dict(found)
    except yaml.YAMLError as error:
        raise PlumblineError("a configuration file is not YAML", where=" ".join(str(error).split())) from error
    except (HydraException, OmegaConfBaseException, ValueError) as error:
        message = (str(error) or type(error).__name__).splitlines()[0]
        raise PlumblineError(f"the configuration cannot be read: {message}", where=where) from error


def forced(overrides: str) -> list[str]:
    """Let overrides also set keys that a file leaves at their defaults; a misspelt one is found when typed."""
    try:
        words = shlex.split(overrides)
    except ValueError as error:
        raise PlumblineError(f"the configuration cannot be read: {error}", where=f"hydra={overrides!r}") from error
    return [word if word[:1] in "+~" else f"++{word}" for word in words]
