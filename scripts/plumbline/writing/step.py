"""Steps: kinds of texts that models write, each a short async function over `ask` in a file of its own.

Only here are steps imported, each by its name and only when it is used.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from plumbline.config.writing import Becomes
from plumbline.data.instances import Instance
from plumbline.records.errors import PlumblineError, nearest
from plumbline.writing import steps

WORDING = "plumbline"
"""The wording of a step that names none."""


@dataclass(frozen=True)
class StepName:
    """A step as it is asked for: `checklist@plumbline` is the step `checklist` in Plumbline's own wording."""

    asked: str
    wording: str

    @classmethod
    def parse(cls, name: str) -> StepName:
        asked, at, wording = name.partition("@")
        if not asked or (at and not wording):
            raise PlumblineError(f"{name!r} does not name a step", expected="STEP or STEP@WORDING")
        return cls(asked, wording or WORDING)

    def __str__(self) -> str:
        return f"{self.asked}@{self.wording}"


class Ask(Protocol):
    """Calls to one model about one instance; every call is written down."""

    async def text(self, prompt: str, **values: str) -> str:
        """What the model writes to a prompt of the wording, as far as the prompt's parser takes it.

        The prompt is given the instruction, the instance's context by name, and `values`.
        """
        ...

    async def items(self, prompt: str, **values: str) -> tuple[str, ...]:
        """The items of the list that the model writes; its prompt has a parser of the kind `list`."""
        ...


Function = Callable[[Instance, Ask], Awaitable[Sequence[str]]]


@dataclass(frozen=True)
class Step:
    """A step, and what the rest must know of it."""

    name: str
    function: Function
    prompts: tuple[str, ...]
    """The templates that a wording must have for it."""
    becomes: Becomes
    """What its texts are to judges where a derived benchmark does not say."""

    @property
    def doc(self) -> str:
        return self.function.__doc__ or ""


REGISTERED: dict[str, Step] = {}


def step(*prompts: str, becomes: Becomes) -> Callable[[Function], Function]:
    """Register a function as the step of its name; it gives one text, several (a checklist's questions) or none."""

    def register(function: Function) -> Function:
        name = function.__name__
        if name in REGISTERED:
            raise PlumblineError(
                f"two steps are called {name!r}",
                where=f"{REGISTERED[name].function.__module__} and {function.__module__}",
                do="give one of them another name",
            )
        REGISTERED[name] = Step(name, function, prompts, becomes)
        return function

    return register


def names() -> list[str]:
    """All steps there are; none of them is imported."""
    ours = [module.name for module in pkgutil.iter_modules(steps.__path__)]
    return list(dict.fromkeys([*ours, *REGISTERED]))


def named(name: str, where: str = "") -> Step:
    """A step by its name, which is also that of its module: a job's code holds only the steps that it asks for."""
    if name not in REGISTERED:
        if name not in names():
            raise PlumblineError(f"no step is called {name!r}", where=where, do=nearest(name, names()))
        import_module(module_of(name))
    return REGISTERED[name]


def module_of(name: str) -> str:
    """Where a step's code is."""
    return f"{steps.__name__}.{name}"
