"""No model at all: for judges that are rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.models.asking import Completion, Place, Request
from plumbline.models.session import EngineContext
from plumbline.records.errors import PlumblineError


class NoEngine:
    """For judges that need no model: asking it is a mistake in the table, and said so."""

    stored = False
    identity: Mapping[str, Any] = {}

    async def answer(self, request: Request, place: Place) -> Completion:
        raise PlumblineError(
            f"the protocol {place.protocol!r} asks a model, and this judge has none",
            do="give the row a model with an engine, or a protocol that asks nothing (shorter, longer)",
        )

    async def close(self) -> None:
        return None


def open_engine(model: Model, settings: EngineSettings, context: EngineContext) -> NoEngine:
    return NoEngine()
