"""Kinds of engines, each in a module of its own with all about it beside it.

Only here are engines imported, each by its name and only when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.config.typed import build, lacking
from plumbline.models import engines
from plumbline.records.plugins import place_of
from plumbline.records.registry import Registry

if TYPE_CHECKING:
    from plumbline.models.asking import Engine
    from plumbline.models.session import EngineContext

Open = TypeVar("Open", bound=Callable[..., Any])
CORE = "core"


@dataclass(frozen=True)
class Kind:
    """A kind of engine, and what the rest must know of it."""

    name: str
    open: Callable[[Model, Any, EngineContext], Engine]
    settings: type[EngineSettings]
    """What an engine's file may set."""
    asks: bool
    """Whether somebody is asked; otherwise answers are looked up, or there are none."""
    repeatable: bool
    """Whether the same ask gets the same answer from the results' own sources, so that an audit can ask again."""
    environment: str
    """Which of the pinned environments in `envs/` it runs in."""
    tokenizer: bool
    """Whether it has the model's own tokenizer, and a logit bias needs no token ids from the model's file."""
    bounded: bool
    """Whether a model's `context` bounds what it reads; a server knows its own bounds."""

    @property
    def loads(self) -> bool:
        """Whether it loads weights itself: the environment `core` has no library for that."""
        return self.environment != CORE

    @property
    def doc(self) -> str:
        return import_module(self.open.__module__).__doc__ or ""


KINDS: Registry[Kind] = Registry("kind of engine", engines, "engine")
names, named, module_of, plugin_of = KINDS.names, KINDS.named, KINDS.module_of, KINDS.plugin_of


def engine(
    *,
    settings: type[EngineSettings],
    asks: bool = True,
    repeatable: bool = False,
    environment: str = CORE,
    tokenizer: bool = False,
    bounded: bool = False,
    name: str = "",
) -> Callable[[Open], Open]:
    """Register a function that opens an engine; without a name, the kind is called as its module."""

    def register(opens: Open) -> Open:
        kind = name or opens.__module__.rpartition(".")[2]
        made = Kind(kind, opens, settings, asks, repeatable, environment, tokenizer, bounded)
        KINDS.add(kind, made, opens.__module__, place_of(opens))
        return opens

    return register


def settings_of(data: Any, where: str) -> EngineSettings:
    """An engine's settings in the class of its kind."""
    if not isinstance(data, Mapping) or "kind" not in data:
        raise lacking("kind", names(), data, where)
    return build(named(str(data["kind"]), f"{where}.kind").settings, data, where)
