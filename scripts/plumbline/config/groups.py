"""The files of `config/` as one mapping: each file under its group and name, overrides and references by Hydra.

Hydra takes more than a second for a hundred files, and nearly all are as plain as they look. So what no override names
is read here, and Hydra is given the rest: the experiment, the files that overrides reach into, those that inherit from
others by a defaults list, and the groups on both sides of a reference, `${…}`.
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
    *("model", "engine", "protocol", "prompts", "table", "paper"),
)
INHERITS = re.compile(rb"^defaults:|^#\s*@package", re.MULTILINE)
"""In files that only Hydra can read."""
HYDRAS = object()
"""Stands in the place of an entry that Hydra reads."""
REFERENCE = re.compile(r"\$\{\s*(\w*)")
"""A value that refers to another one, by its group, by dots or by a resolver of Hydra's."""
FLOAT = re.compile(r"^[-+]?(\d[\d_]*\.?\d*|\.\d+)[eE][-+]?\d+$")
"""What YAML 1.1 takes for text, and Hydra and everybody else for a number."""
Named = dict[str, Any]


class YamlLoader(yaml.CSafeLoader):
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


YamlLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if not tag.endswith(":timestamp")]
    for first, found in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
YamlLoader.add_implicit_resolver("tag:yaml.org,2002:float", FLOAT, list("-+.0123456789"))


@dataclass(frozen=True)
class GroupFile:
    """A file of a group; `place` is its group, and for a table the paper, then its name."""

    path: Path
    place: tuple[str, ...]
    data: bytes

    @property
    def inherits(self) -> bool:
        return bool(INHERITS.search(self.data))

    @property
    def override(self) -> str:
        """How Hydra is asked for it."""
        *group, name = self.place
        return f"+{'/'.join(group)}@{'.'.join(self.place)}={name}"

    def read(self) -> Any:
        try:
            return yaml.load(self.data, YamlLoader) or {}
        except yaml.YAMLError as error:
            message = str(error).replace('"<byte string>"', str(self.path))
            raise PlumblineError("a configuration file is not YAML", where=" ".join(message.split())) from error


def read_groups(folder: Path, experiment: str, overrides: str) -> Named:
    """All groups under `folder` and the experiment, overridden, and with references followed."""
    files = list(files_of(folder))
    asked = forced(overrides)
    whole = referred(overrides).union(file.place[0] for file in files if file.inherits)
    for file in files:
        if groups := referred(file.data.decode(errors="replace")):
            whole |= {file.place[0], *groups}
    reached = [*((group,) for group in whole), *map(reach, asked)]
    plain: Named = {group: {} for group in GROUPS}
    known: Named = {}
    for file in files:
        by_us = not file.inherits and not any(overlap(file.place, key) for key in reached)
        put(plain, file.place, file.read() if by_us else HYDRAS)
        if not by_us and not file.inherits:
            put(known, file.place, file.read())
    overriding = [*(file.override for file in files if file.inherits), f"+experiment={experiment}", *asked]
    composed = by_hydra(folder, known, overriding, f"{folder}, experiment={experiment}, hydra={overrides!r}")
    read: Named = read_by_somebody(together(plain, composed))
    return read


def reach(override: str) -> tuple[str, ...]:
    """The key that an override sets or takes away, word by word; where it is written in another way, its group."""
    key = override.lstrip("+~").partition("=")[0]
    words = tuple(re.split(r"[.@/\[]", key))
    return words if set("@/[").isdisjoint(key) else words[:1]


def overlap(place: Sequence[str], key: Sequence[str]) -> bool:
    """Whether a key is about a file, about something in it, or about all that the file stands among."""
    return all(word == other for word, other in zip(place, key, strict=False))


def together(plain: Any, composed: Any) -> Any:
    """What was read here and what Hydra composed: each entry of one of the two, each where its file stands."""
    if not isinstance(plain, dict) or not isinstance(composed, dict):
        return composed
    return plain | {name: together(plain.get(name), value) for name, value in composed.items()}


def read_by_somebody(read: Any) -> Any:
    """Without the places of entries that an override took away."""
    if not isinstance(read, dict):
        return read
    return {name: read_by_somebody(value) for name, value in read.items() if value is not HYDRAS}


def referred(text: str) -> set[str]:
    """The groups that references may lead to: all, where one does not begin with the name of a group."""
    words = set(REFERENCE.findall(text))
    return words if words <= set(GROUPS) else set(GROUPS)


def files_of(folder: Path) -> Iterator[GroupFile]:
    """Group by group, and in each by name."""
    for group in GROUPS:
        for path in sorted((folder / group).glob("*/*.yaml" if group == "table" else "*.yaml")):
            yield GroupFile(path, path.relative_to(folder).with_suffix("").parts, read_bytes(path))


def put(groups: Named, place: Sequence[str], entry: Any) -> None:
    *above, name = place
    for word in above:
        groups = groups.setdefault(word, {})
    groups[name] = entry


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
            composed: Any = OmegaConf.to_container(compose("plumbline", list(overrides)), resolve=True)
            return dict(composed)
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
