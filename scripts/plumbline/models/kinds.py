"""Kinds of engines, each in a module of its own with all about it beside it.

Only here are engines imported, each by its name and only when it is used.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.config.typed import build, lacking
from plumbline.models import engines
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.files import read_bytes

if TYPE_CHECKING:
    from plumbline.models.asking import Engine
    from plumbline.models.session import EngineContext

Open = TypeVar("Open", bound=Callable[..., Any])
CORE = "core"
REGISTERS = b"\n@engine("


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


REGISTERED: dict[str, Kind] = {}


def engine(
    *,
    settings: type[EngineSettings],
    asks: bool = True,
    repeatable: bool = False,
    environment: str = CORE,
    tokenizer: bool = False,
    bounded: bool = False,
) -> Callable[[Open], Open]:
    """Register a function that opens an engine; the kind is called as its module."""

    def register(opens: Open) -> Open:
        name = opens.__module__.rpartition(".")[2]
        if name in REGISTERED:
            raise PlumblineError(
                f"two kinds of engines are called {name!r}",
                where=f"{REGISTERED[name].open.__module__} and {opens.__module__}",
                do="give one of the modules another name",
            )
        REGISTERED[name] = Kind(name, opens, settings, asks, repeatable, environment, tokenizer, bounded)
        return opens

    return register


def names() -> list[str]:
    """All kinds there are; none of them is imported."""
    home = Path(engines.__path__[0])
    ours = [module.name for module in pkgutil.iter_modules(engines.__path__)]
    return list(dict.fromkeys([*(n for n in ours if REGISTERS in read_bytes(home / f"{n}.py")), *REGISTERED]))


def named(name: str, where: str = "") -> Kind:
    """A kind of engine by its name, which is also that of its module."""
    if name not in REGISTERED:
        if name not in names():
            raise PlumblineError(f"no engine is of the kind {name!r}", where=where, do=nearest(name, names()))
        import_module(module_of(name))
    return REGISTERED[name]


def module_of(name: str) -> str:
    """Where the code of a kind is."""
    return f"{engines.__name__}.{name}"


def settings_of(data: Any, where: str) -> EngineSettings:
    """An engine's settings in the class of its kind."""
    if not isinstance(data, Mapping) or "kind" not in data:
        raise lacking("kind", names(), data, where)
    return build(named(str(data["kind"]), f"{where}.kind").settings, data, where)
