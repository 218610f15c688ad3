"""Each system's own model: what the models say apart is put together by the system that each of them is.

For HREF's Perplexity, which asks the two models whose outputs are compared. It has no ask job of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from plumbline.config.engine import ComposedSettings
from plumbline.config.model import Model
from plumbline.models.engines.none import NoEngine
from plumbline.models.kinds import engine
from plumbline.models.session import EngineContext


@dataclass(frozen=True)
class Settings(ComposedSettings):
    """Who is who."""

    systems: dict[str, str] = field(default_factory=dict)
    """The model in `config/model/` that each system of a benchmark is, by the system's name there; empty where there
    is none. Rows wait until two systems have a model; pairs of which one has none are left out and counted."""

    @property
    def models(self) -> list[str]:
        return sorted(set(self.systems.values()) - {""})


@engine(settings=Settings, asks=False, repeatable=True)
def open_engine(model: Model, settings: Settings, context: EngineContext) -> NoEngine:
    return NoEngine()
