"""A method for each category: what a judge says of an instance is what the method chosen for its category says.

HREF's Composite. It has no ask job of its own: its methods are asked, each about all instances.
"""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.config.engine import ComposedSettings
from plumbline.config.model import Model
from plumbline.data.instances import CATEGORY
from plumbline.models.context import EngineContext
from plumbline.models.engines.none import NoEngine
from plumbline.models.kinds import engine


@dataclass(frozen=True)
class Method:
    """A judge."""

    model: str
    """Its model."""
    protocol: str
    """Its protocol, with its wording: e.g. `guided@href`."""


@dataclass(frozen=True, kw_only=True)
class Settings(ComposedSettings):
    """Which method judges what."""

    methods: dict[str, Method]
    """The judges, each under a name."""
    categories: dict[str, str]
    """By category the name of the method that judges its instances."""
    otherwise: str = ""
    """The method of all other categories (empty: an instance of one is an error)."""
    context: str = CATEGORY
    """The part of an instance's context that says its category."""

    @property
    def models(self) -> list[str]:
        return list(dict.fromkeys(method.model for method in self.used.values()))

    @property
    def programs(self) -> tuple[str, ...]:
        return ("composite",)

    @property
    def used(self) -> dict[str, Method]:
        """The methods that a category has."""
        names = dict.fromkeys([*self.categories.values(), *filter(None, [self.otherwise])])
        return {name: self.methods[name] for name in names if name in self.methods}

    def stands_on(self, protocol: str) -> list[tuple[str, str]]:
        return list(dict.fromkeys((method.model, method.protocol) for method in self.used.values()))


@engine(settings=Settings, answers=(), asks=False, repeatable=True)
def open_engine(model: Model, settings: Settings, context: EngineContext) -> NoEngine:
    return NoEngine()
