"""Steps: kinds of texts that models write, each a short async function over `ask` in a file of its own.

Only here are steps imported, each by its name and only when it is used.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from plumbline.config.writing import Becomes
from plumbline.data.instances import Instance
from plumbline.records.errors import PlumblineError
from plumbline.records.plugins import place_of
from plumbline.records.registry import Registry
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


STEPS: Registry[Step] = Registry("step", steps)
names, named, module_of, plugin_of = STEPS.names, STEPS.named, STEPS.module_of, STEPS.plugin_of


def step(*prompts: str, becomes: Becomes) -> Callable[[Function], Function]:
    """Register a function as the step of its name; it gives one text, several (a checklist's questions) or none."""

    def register(function: Function) -> Function:
        name = function.__name__
        STEPS.add(name, Step(name, function, prompts, becomes), function.__module__, place_of(function))
        return function

    return register
