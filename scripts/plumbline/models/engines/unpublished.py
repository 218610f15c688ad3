"""Models that nobody publishes: a table may name them, and its cells wait until somebody serves them."""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.models.asking import Engine
from plumbline.models.context import EngineContext
from plumbline.models.kinds import engine
from plumbline.models.noise import nothing_computed
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True)
class Settings(EngineSettings):
    """Nothing to set."""


@dataclass(frozen=True)
class UnpublishedModel(Model):
    """A model that cannot be had."""

    holder: str = ""
    """Who has it."""

    @property
    def unavailable(self) -> str:
        return f"{self.label} is not public" + (f"; {self.holder} has it" if self.holder else "")


@engine(
    settings=Settings,
    model=UnpublishedModel,
    noise=nothing_computed,
    answers=("words", "likelihoods", "similarities", "scores"),
)
def open_engine(model: UnpublishedModel, settings: Settings, context: EngineContext) -> Engine:
    raise PlumblineError(
        model.unavailable, do="give its file the engine that serves it, or take it out of experiment.models"
    )
