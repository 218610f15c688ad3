"""Judges made of judges: which models those are, and what a job puts together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plumbline.asking.protocols import WORDING, ProtocolName
from plumbline.asking.settings import in_wording, suits
from plumbline.config.engine import ComposedSettings
from plumbline.config.typed import known
from plumbline.config.whole import Config
from plumbline.models.engines import by_category
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


def stands_on(config: Config, model: str, protocol: str) -> list[tuple[str, str]]:
    """The judges, each a model and a protocol, that such a judge is made of under a protocol; none of any other one."""
    settings = settings_of(config, model)
    return settings.stands_on(protocol) if settings else []


def with_models(needs: Iterable[Need], config: Config) -> set[Need]:
    """These (benchmark, model, protocol), and what other models are asked for them."""
    all_needs = set(needs)
    return all_needs | {
        (benchmark, *other) for benchmark, model, protocol in all_needs for other in stands_on(config, model, protocol)
    }


def put_together(config: Config, protocols: Iterable[str], model: str) -> dict[str, Any]:
    """What a job puts together beside the judge's own settings: the protocols, and how noisy each model is."""
    noise = {other: _noise(config, other) for other in models_of(config, model)}
    return {"protocols": sorted(protocols), "noise": noise}


def _noise(config: Config, model: str) -> float | None:
    declared = config.model[model]
    return noise_of(declared, config.engine[declared.engine])


def check(config: Config) -> None:
    """Each model that such a judge is made of exists, and is asked itself; each method is one that it names."""
    for name, engine in config.engine.items():
        if isinstance(engine, by_category.Settings):
            check_methods(config, engine, f"engine.{name}")
    for model, declared in config.model.items():
        for other in models_of(config, model):
            where = f"engine.{declared.engine}"
            known(other, config.model, where)
            if settings_of(config, other):
                raise PlumblineError(f"{other!r} is asked nothing itself", where=where, do="name a model that is")


def check_methods(config: Config, engine: by_category.Settings, where: str) -> None:
    """Each category has a method that is named, and each method is a judge that can be asked."""
    for category, chosen in engine.categories.items():
        known(chosen, engine.methods, f"{where}.categories.{category}")
    if engine.otherwise:
        known(engine.otherwise, engine.methods, f"{where}.otherwise")
    for name in engine.methods:
        if name not in engine.used:
            raise PlumblineError(f"no category has the method {name!r}", where=f"{where}.methods", do="remove it")
    for name, method in engine.methods.items():
        place = f"{where}.methods.{name}"
        known(method.model, config.model, f"{place}.model")
        known(ProtocolName.parse(method.protocol).base, config.protocol, f"{place}.protocol")
        if (full := in_wording(method.protocol, WORDING, config)) != method.protocol:
            raise PlumblineError(
                f"the protocol {method.protocol!r} is not named with its wording", where=place, do=f"name it {full!r}"
            )
        if not suits(config, method.model, method.protocol):
            raise PlumblineError(
                f"{method.model!r} cannot be asked with {method.protocol!r}", where=place, do="take another protocol"
            )
