"""No model at all: for judges that are rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.models.asking import CallPlace, Completion, Request
from plumbline.models.context import EngineContext
from plumbline.models.kinds import engine
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True)
class Settings(EngineSettings):
    """Nothing to set."""


class NoEngine:
    """For judges that need no model: asking it is a mistake in the table, and said so."""

    stored = False
    identity: Mapping[str, Any] = {}

    async def answer(self, request: Request, place: CallPlace) -> Completion:
        raise PlumblineError(
            f"the protocol {place.protocol!r} asks a model, and this judge has none",
            do="give the row a model with an engine, or a protocol that asks nothing (shorter, longer)",
        )

    async def close(self) -> None:
        return None


@engine(settings=Settings, answers=(), asks=False, repeatable=True)
def open_engine(model: Model, settings: Settings, context: EngineContext) -> NoEngine:
    return NoEngine()
