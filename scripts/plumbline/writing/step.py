"""Steps: kinds of texts that models write, each a short async function over `ask` in a file of its own."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from plumbline.config.writing import Becomes
from plumbline.data.instances import Instance
from plumbline.records.errors import PlumblineError, nearest

FOLDER = "plumbline.writing.steps"
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
    """A registered step."""

    name: str
    function: Function
    prompts: tuple[str, ...]
    """The templates that a wording must have for it."""
    becomes: Becomes
    """What its texts are to judges where a derived benchmark does not say."""


def step(*prompts: str, becomes: Becomes) -> Callable[[Function], Step]:
    """Register a function as the step of its name; it gives one text, several (a checklist's questions) or none."""
    return lambda function: Step(function.__name__, function, prompts, becomes)


def module_of(name: str) -> str:
    """The module that holds a step, for a job's code."""
    return f"{FOLDER}.{name}"


def step_names() -> list[str]:
    return sorted(path.stem for path in Path(__file__).with_name("steps").glob("[a-z]*.py"))


def step_named(name: str) -> Step:
    """The step, imported only now: a job's code holds only the steps that it asks for."""
    if name not in step_names():
        raise PlumblineError(f"no step is called {name!r}", do=nearest(name, step_names()))
    found: Step = getattr(importlib.import_module(module_of(name)), name)
    return found
