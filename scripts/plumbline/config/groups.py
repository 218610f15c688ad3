"""The files of `config/` as one mapping: each file under its group and name, overrides and references by Hydra.

Hydra takes more than a second for a hundred files, and nearly all are as plain as they look. So what no override names
is read here, and Hydra is given the rest: the experiment, the files that overrides reach into, those that inherit from
others by a defaults list, and the files on both sides of a reference, `${…}`.

A file is one entry of its group, or with the key `each` a list of them: what they share stands once in it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
REFERENCE = re.compile(r"\$\{\s*([\w.\[\]-]*)")
"""A value that refers to another one, by its group, by dots or by a resolver of Hydra's."""
FLOAT = re.compile(r"^[-+]?(\d[\d_]*\.?\d*|\.\d+)[eE][-+]?\d+$")
"""What YAML 1.1 takes for text, and Hydra and everybody else for a number."""
EACH = "each"
"""The key of a file that lists several entries."""
NAME = re.compile(r"[A-Za-z0-9_-]+")
"""What an entry in a list may be called, so that an override can name it and a rule's path can hold it."""
BY_FILE = ("source", "table")
"""Groups in which every entry has a file of its own name: rules and `plumbline pin` read or write that file."""
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

    @cached_property
    def refers_to(self) -> set[tuple[str, ...]]:
        return referred(self.data.decode(errors="replace"))

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

    def entries(self) -> list[Entry]:
        """What the file declares: itself, or each entry of its list, merged with what all of them share."""
        if self.inherits:
            refuse_list_that_inherits(self)
            return [Entry(self, self.place, HYDRAS)]
        content = self.read()
        if not isinstance(content, Mapping) or EACH not in content:
            return [Entry(self, self.place, content)]
        listed = list_in(self, content)
        shared = {key: value for key, value in content.items() if key != EACH}
        return [Entry(self, (*self.place[:-1], name), merged(shared, own or {})) for name, own in listed.items()]


@dataclass(frozen=True)
class Entry:
    """What a group has under a name; `value` is for Hydra to read where its file inherits from others."""

    file: GroupFile
    place: tuple[str, ...]
    value: Any


def list_in(file: GroupFile, content: Mapping[str, Any]) -> Mapping[str, Any]:
    """The list of a file's entries: a name for each, and what it adds or has in another way."""
    listed, where = content[EACH], f"{file.path}, key {EACH}"
    if file.place[0] in BY_FILE:
        raise PlumblineError(
            f"a file in {file.place[0]}/ holds one entry",
            where=where,
            found="a list of several",
            do="write a file for each of them, named like the entry",
        )
    if not isinstance(listed, Mapping) or not listed:
        raise PlumblineError(
            "a list of entries names none", where=where, expected="a mapping of names", found=str(listed)
        )
    for name, own in listed.items():
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise PlumblineError(
                f"an entry cannot be called {name!r}", where=where, expected="letters, digits, underscores and hyphens"
            )
        if own is not None and not isinstance(own, Mapping):
            raise PlumblineError(f"the entry {name!r} is not a mapping of keys", where=where, found=repr(own)[:120])
    return listed


def refuse_list_that_inherits(file: GroupFile) -> None:
    """Hydra merges a defaults list into the whole file, not into each of its entries."""
    content = file.read()
    if isinstance(content, Mapping) and EACH in content:
        raise PlumblineError(
            "a list of entries cannot inherit from another file",
            where=f"{file.path}, keys defaults and {EACH}",
            do="write what all of them share beside the list, or a file for each of them",
        )


def merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> Named:
    """What an entry says itself over what all share; mappings in both are merged in the same way."""
    both = {key for key in own if isinstance(shared.get(key), Mapping) and isinstance(own[key], Mapping)}
    return {**shared, **{key: merged(shared[key], value) if key in both else value for key, value in own.items()}}


def read_groups(folder: Path, experiment: str, overrides: str) -> Named:
    """All groups under `folder` and the experiment, overridden, and with references followed."""
    files = list(files_of(folder))
    asked = forced(overrides)
    reached = {*map(reach, asked), *referred(overrides), *(file.place[:1] for file in files if file.inherits)}
    for file in files:
        reached |= file.refers_to
    for path in (folder / "experiment").glob("*.yaml"):
        reached |= referred(read_bytes(path).decode(errors="replace"))
    plain: Named = {group: {} for group in GROUPS}
    known: Named = {}
    for entry in declared_once(files):
        is_reached = entry.file.refers_to or any(overlap(entry.place, key) for key in reached)
        by_us = entry.value is not HYDRAS and not is_reached
        put(plain, entry.place, entry.value if by_us else HYDRAS)
        if not by_us and entry.value is not HYDRAS:
            put(known, entry.place, entry.value)
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


def referred(text: str) -> set[tuple[str, ...]]:
    """The keys that references may lead to: all groups, where one does not begin with the name of a group."""
    keys = {tuple(re.split(r"[.\[\]]+", reference.rstrip(".[]"))) for reference in REFERENCE.findall(text)}
    return keys if all(key[0] in GROUPS for key in keys) else {(group,) for group in GROUPS}


def files_of(folder: Path) -> Iterator[GroupFile]:
    """Group by group, and in each by name."""
    for group in GROUPS:
        for path in sorted((folder / group).glob("*/*.yaml" if group == "table" else "*.yaml")):
            yield GroupFile(path, path.relative_to(folder).with_suffix("").parts, read_bytes(path))


def declared_once(files: Sequence[GroupFile]) -> Iterator[Entry]:
    """The entries of all files; two files that declare one name are refused."""
    known: dict[tuple[str, ...], Path] = {}
    for file in files:
        for entry in file.entries():
            if entry.place in known:
                raise PlumblineError(
                    f"{'.'.join(entry.place)} is declared twice",
                    where=f"{known[entry.place]} and {file.path}",
                    do="give one of the two another name, or remove it",
                )
            known[entry.place] = file.path
            yield entry


def file_of(folder: Path, group: str, name: str) -> Path:
    """The file that declares an entry: that of its name, or the one that has it in a list."""
    own = folder / group / f"{name}.yaml"
    lists = (file for file in files_of(folder) if file.place[0] == group) if not own.is_file() else ()
    return next((file.path for file in lists if any(entry.place[-1] == name for entry in file.entries())), own)


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
