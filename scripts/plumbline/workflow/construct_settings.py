"""What each stage of a set depends on, and whether its declaration holds together."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from plumbline.asking.protocols import ProtocolName
from plumbline.asking.settings import templates_of
from plumbline.config.construct import Construct, Filter
from plumbline.config.typed import known, without
from plumbline.derive.asked import texts_of
from plumbline.derive.pools import check_columns
from plumbline.derive.strategy import Drawn, needs_of
from plumbline.records.errors import PlumblineError
from plumbline.workflow.biases import unbiased
from plumbline.workflow.waiting import sources_of_benchmark
from plumbline.workflow.writing_settings import check_step

if TYPE_CHECKING:
    from plumbline.config.whole import Config

OF_OTHER_STAGES = ("title", "filter", "decisions", "prefix", "ceiling")
"""What of a set's declaration does not decide its candidates."""


def stages(config: Config, judges: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By set and stage exactly what decides that stage's result: a changed filter asks for no new texts."""
    return {name: _stages(config, declared, judges) for name, declared in config.construct.items()}


def _stages(config: Config, declared: Construct, judges: Mapping[str, Any]) -> dict[str, Any]:
    needs = needs_of(declared)
    retrieval = needs.retrieval
    pools = {name: without(asdict(config.pool[name]), "title") for name in needs.pools}
    return {
        "pool": {"pools": pools, "size": declared.size if isinstance(declared, Drawn) else 0, "seed": declared.seed},
        "embeddings": {"model": judges[retrieval.embedder]["model"], "prefix": retrieval.prefix} if retrieval else {},
        "neighbours": retrieval.ceiling if retrieval else 0.0,
        "similarity": {"ceiling": retrieval.ceiling, "floor": retrieval.floor} if retrieval else {},
        "candidates": {
            "declared": without(asdict(declared), *OF_OTHER_STAGES),
            "texts": [asdict(text) for text in texts_of(declared)],
            "prompts": templates_of(config, declared.prompts),
        },
        "filtered": without(asdict(declared.filter), "wording") | {"evaluators": list(declared.filter.evaluators)},
        "decisions": declared.decisions,
        "final": {"seed": declared.seed},
        "card": _card(config, declared),
        "sheet": {
            "title": declared.title,
            "notes": unbiased(config, declared.filter),
            "made_by": _made_by(config, declared),
        },
    }


def _card(config: Config, declared: Construct) -> dict[str, Any]:
    """Title, licences and citations of what a set is made of; what is only computed is this project's own."""
    needs = needs_of(declared)
    if needs.counterpart:
        return {**_card(config, config.construct[needs.counterpart.partition("/")[0]]), "title": declared.title}
    names = [config.pool[name].source for name in needs.pools]
    if needs.benchmark:
        names += sources_of_benchmark(needs.benchmark, config)
    sources = [config.source[name] for name in names if name]
    return {
        "title": declared.title,
        "licences": list(dict.fromkeys(source.licence for source in sources)) or ["Apache-2.0"],
        "citations": list(dict.fromkeys(source.citation for source in sources)),
    }


def _made_by(config: Config, declared: Construct) -> dict[str, Any]:
    """Which models write what of a set, and which filter it; of a counterpart those of the other set."""
    needs = needs_of(declared)
    if needs.counterpart:
        return _made_by(config, config.construct[needs.counterpart.partition("/")[0]])
    written: dict[str, list[str]] = {}
    for need in needs.texts:
        written.setdefault(need.model, []).append(need.role)
    return {"written": written, "filtered": list(declared.filter.evaluators)}


def check(config: Config) -> None:
    """Every name in the pools and sets is known, and each strategy has what it needs."""
    for name, pool in config.pool.items():
        known(pool.source, config.source, f"pool.{name}.source")
        check_columns(name, pool)
    for name, shared in config.filter.items():
        _check_filter(config, shared, f"filter.{name}")
    for name, declared in config.construct.items():
        _check_set(config, declared, f"construct.{name}")


def _check_set(config: Config, declared: Construct, where: str) -> None:
    _check_needed(declared, where)
    needs = needs_of(declared)
    _all_known(needs.pools, config.pool, f"{where}.pools")
    _all_known([declared.prompts], config.prompts, f"{where}.prompts")
    models = [need.model for need in needs.texts] + ([needs.retrieval.embedder] if needs.retrieval else [])
    if needs.retrieval and needs.retrieval.floor >= needs.retrieval.ceiling:
        raise PlumblineError(
            "the floor of similarity leaves no neighbour",
            where=f"{where}.floor",
            expected=f"less than the ceiling, {needs.retrieval.ceiling:g}",
            found=f"{needs.retrieval.floor:g}",
        )
    _all_known(models, config.model, where)
    _all_known([needs.counterpart.partition("/")[0]], config.construct, f"{where}.counterpart")
    _all_known([needs.benchmark], config.benchmark, f"{where}.benchmark")
    _all_known(needs.subsets, config.benchmark[needs.benchmark].subsets if needs.subsets else {}, f"{where}.subsets")
    _check_filter(config, declared.filter, f"{where}.filter")
    for text in texts_of(declared):
        check_step(config, text.step, f"{where}.prompts")
    templates = config.prompts[declared.prompts].templates
    _all_known(needs.templates, templates, f"prompts.{declared.prompts}.templates")


def _check_filter(config: Config, declared: Filter, where: str) -> None:
    known(declared.wording, config.prompts, f"{where}.wording")
    _all_known(declared.evaluators, config.model, f"{where}.evaluators")
    for model, protocols in declared.evaluators.items():
        bases = [ProtocolName.parse(protocol).base for protocol in protocols]
        _all_known(bases, config.protocol, f"{where}.evaluators.{model}")


def with_named_filter(declared: Any, filters: Mapping[str, Any], where: str) -> Any:
    """A set's declaration, with the filter itself where it names one that several sets share."""
    name = declared.get("filter") if isinstance(declared, Mapping) else None
    if not isinstance(name, str):
        return declared
    known(name, filters, f"{where}.filter")
    return {**declared, "filter": filters[name]}


def _all_known(words: Iterable[str], group: Mapping[str, Any], where: str) -> None:
    for word in filter(None, words):
        known(word, group, where)


def _check_needed(declared: Construct, where: str) -> None:
    """What a strategy cannot do without is named, and not left empty."""
    for field in dataclasses.fields(declared):
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and field.name != "title" and not getattr(declared, field.name):
            what = f"the strategy {declared.strategy!r} needs {field.name!r}"
            raise PlumblineError(what, where=f"{where}.{field.name}")
