"""Registries: things of one kind, each in a module of its own in one folder, imported by its name when it is used.

Nobody imports the whole folder, so the code behind a job is that of the things it uses.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Generic, TypeVar

from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.files import read_bytes

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """The things of one kind by name; a thing is called as the module that registers it."""

    def __init__(self, kind: str, folder: ModuleType, decorator: str = "") -> None:
        self.kind, self.folder = kind, folder
        self.marker = f"\n@{decorator}(".encode() if decorator else b""
        """What stands in a module of the folder that registers something; without it each of them does."""
        self.registered: dict[str, Thing] = {}
        self._modules: dict[str, str] = {}

    def add(self, name: str, thing: Thing, module: str) -> None:
        if name in self.registered:
            raise PlumblineError(
                f"a {self.kind} is already called {name!r}",
                where=f"{self._modules[name]} and {module}",
                do="give one of them another name",
            )
        self.registered[name] = thing
        self._modules[name] = module

    def names(self) -> list[str]:
        """All there are; none of them is imported."""
        return list(dict.fromkeys([*self._in_folder(), *self.registered]))

    def named(self, name: str, where: str = "") -> Thing:
        if name not in self.registered:
            known = self.names()
            if name not in known:
                raise PlumblineError(f"no {self.kind} is called {name!r}", where=where, do=nearest(name, known))
            import_module(self.module_of(name))
            if name not in self.registered:
                raise PlumblineError(
                    f"the module {self.module_of(name)} registers no {self.kind} called {name!r}",
                    where=where,
                    do="call the module and what it registers alike",
                )
        return self.registered[name]

    def module_of(self, name: str) -> str:
        """Where the code of a thing is."""
        return self._modules.get(name, f"{self.folder.__name__}.{name}")

    def _in_folder(self) -> list[str]:
        home = Path(self.folder.__path__[0])
        found = [module.name for module in pkgutil.iter_modules(self.folder.__path__)]
        return [name for name in found if self.marker in read_bytes(home / f"{name}.py")] if self.marker else found
