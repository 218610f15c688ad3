"""Judges that put together what each system's own model says: which models those are, and what their rows wait for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from plumbline.config.tables import Pick, Table
from plumbline.config.typed import known
from plumbline.config.whole import Config
from plumbline.models.engines.by_system import Settings
from plumbline.models.noise import noise_of
from plumbline.records.errors import PlumblineError

Need = tuple[str, str, str]
SHOWN = 5
"""So many systems without a model are named."""


def settings_of(config: Config, model: str) -> Settings | None:
    """The settings of such a judge; none of any other one."""
    engine = config.engine[config.model[model].engine]
    return engine if isinstance(engine, Settings) else None


def joining(config: Config) -> list[str]:
    """The judges of this kind."""
    return [name for name in config.model if settings_of(config, name)]


def models_of(config: Config, model: str) -> list[str]:
    """The models whose verdicts such a judge puts together, each once."""
    settings = settings_of(config, model)
    return settings.models if settings else []


def with_own_models(needs: Iterable[Need], config: Config) -> set[Need]:
    """These (benchmark, model, protocol), and what is asked of the systems' own models for them."""
    found = set(needs)
    return found | {
        (benchmark, own, protocol) for benchmark, model, protocol in found for own in models_of(config, model)
    }


def joined(config: Config, protocols: Iterable[str], model: str) -> dict[str, Any]:
    """What a job puts together: the model of each system with its noise, and the protocols."""
    settings = settings_of(config, model)
    assert settings is not None, "only such a judge puts verdicts together"
    systems = {system: own for system, own in settings.systems.items() if own}
    return {
        "kind": settings.kind,
        "protocols": sorted(protocols),
        "systems": {system: {"model": own, "noise": _noise(config, own)} for system, own in systems.items()},
    }


def _noise(config: Config, model: str) -> float | None:
    declared = config.model[model]
    return noise_of(config.engine[declared.engine].kind, declared.dtype)


def waiting_for_models(table: Table, config: Config) -> Table:
    """The table, whose rows of such a judge wait as long as fewer than two systems have a model."""

    def waiting(pick: Pick) -> Pick:
        settings = settings_of(config, pick.model) if pick.model else None
        if settings is None or sum(map(bool, settings.systems.values())) > 1:
            return pick
        words = "; ".join(filter(None, (pick.waits.weights, _missing(config, pick.model, settings))))
        return replace(pick, waits=replace(pick.waits, weights=words))

    return replace(table, rows={name: waiting(row) for name, row in table.rows.items()})


def _missing(config: Config, model: str, settings: Settings) -> str:
    names = [system for system, own in settings.systems.items() if not own]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    where = f"config/engine/{config.model[model].engine}.yaml"
    return f"those of {', '.join(names[:SHOWN])}{more}: name the model that each is in {where}"


def check(config: Config) -> None:
    """Each system's model exists, and is asked itself."""
    for model in joining(config):
        where = f"engine.{config.model[model].engine}.systems"
        for own in models_of(config, model):
            known(own, config.model, where)
            if settings_of(config, own):
                raise PlumblineError(f"{own!r} is asked nothing itself", where=where, do="name a model that is")
