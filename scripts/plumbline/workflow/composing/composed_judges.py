"""Judges made of judges: which models those are, and what a job puts together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plumbline.config.engine import ComposedSettings
from plumbline.config.typed import known
from plumbline.config.whole import Config
from plumbline.models.kinds import noise_of
from plumbline.records.errors import PlumblineError

Need = tuple[str, str, str]


def settings_of(config: Config, model: str) -> ComposedSettings | None:
    """The settings of such a judge; none of any other one."""
    engine = config.engine[config.model[model].engine]
    return engine if isinstance(engine, ComposedSettings) else None


def models_of(config: Config, model: str) -> list[str]:
    """The models whose verdicts such a judge puts together, each once."""
    settings = settings_of(config, model)
    return settings.models if settings else []


def with_models(needs: Iterable[Need], config: Config) -> set[Need]:
    """These (benchmark, model, protocol), and what other models are asked for them."""
    all_needs = set(needs)
    return all_needs | {
        (benchmark, other, protocol) for benchmark, model, protocol in all_needs for other in models_of(config, model)
    }


def put_together(config: Config, protocols: Iterable[str], model: str) -> dict[str, Any]:
    """What a job puts together beside the judge's own settings: the protocols, and how noisy each model is."""
    noise = {other: _noise(config, other) for other in models_of(config, model)}
    return {"protocols": sorted(protocols), "noise": noise}


def _noise(config: Config, model: str) -> float | None:
    declared = config.model[model]
    return noise_of(declared, config.engine[declared.engine])


def check(config: Config) -> None:
    """Each model that such a judge is made of exists, and is asked itself."""
    for model, declared in config.model.items():
        for other in models_of(config, model):
            where = f"engine.{declared.engine}"
            known(other, config.model, where)
            if settings_of(config, other):
                raise PlumblineError(f"{other!r} is asked nothing itself", where=where, do="name a model that is")
