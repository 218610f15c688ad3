"""What each stage of a set depends on, and whether its declaration holds together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from plumbline.config.construct import Construct, Strategy
from plumbline.config.typed import known, without
from plumbline.construct.constraints import structure
from plumbline.construct.pools import check_columns
from plumbline.judging.protocols import ProtocolName
from plumbline.judging.settings import in_wording, options_of, parsing_of, templates_of, worded
from plumbline.records.errors import PlumblineError

if TYPE_CHECKING:
    from plumbline.config.whole import Config

NEEDED: dict[Strategy, tuple[str, ...]] = {
    "neighbor": ("pools", "embedder"),
    "gptinst": ("pools", "perturb", "second"),
    "gptout": ("pools", "second"),
    "negation": ("pools", "second"),
    "constraint": ("pools",),
    "natural": ("pools",),
    "normal": ("counterpart",),
    "manual": ("benchmark",),
    "addition": ("size",),
}
WORDED: dict[Strategy, str] = {"constraint": "constraint", "negation": "negation", "addition": "addition"}
"""Strategies that write instructions, and the template that words them."""
HOME = "results/construct"
MODELS = {"perturbed": "perturb", "first": "first", "second": "second"}
"""The key that names the model of each step."""


def steps_of(declared: Construct) -> list[str]:
    """The steps in which a set asks a model for texts."""
    wanted = {
        "neighbor": ("first",),
        "constraint": ("first",),
        "gptinst": ("perturbed", "first", "second"),
        "gptout": ("first", "second"),
        "negation": ("first", "second"),
    }.get(declared.strategy, ())
    return [step for step in wanted if getattr(declared, MODELS[step])]


def finished_file(sets: Mapping[str, Construct], made: str) -> str:
    """The file of a finished set, or of SET/unreviewed as it was before people decided."""
    name, _, state = made.partition("/")
    known(name, sets, "construct")
    return f"{HOME}/{name}/{state or ('reviewed' if sets[name].decisions else 'unreviewed')}.parquet"


def template_of(declared: Construct, step: str) -> str:
    """Which template a step is asked with."""
    if step == "perturbed":
        return "perturb"
    return "unhelpful" if step == "second" and declared.strategy in ("gptout", "negation") else "response"


def stages(config: Config, judges: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By set and stage exactly what decides that stage's result: a changed filter asks for no new texts."""
    return {name: _stages(config, declared, judges) for name, declared in config.construct.items()}


def _stages(config: Config, declared: Construct, judges: Mapping[str, Any]) -> dict[str, Any]:
    pools = {name: without(asdict(config.pool[name]), "title") for name in declared.pools}
    written = {step: _writing(config, declared, judges, step) for step in steps_of(declared)}
    evaluators = {
        model: {"judge": judges[model], **_evaluator(config, model, names)}
        for model, names in evaluators_of(config, declared).items()
    }
    embedder = declared.embedder
    return {
        **written,
        "pool": {"pools": pools, "size": declared.size, "seed": declared.seed},
        "embeddings": {"model": judges[embedder]["model"], "prefix": declared.prefix} if embedder else {},
        "neighbours": declared.ceiling,
        "candidates": {
            "declared": without(asdict(declared), "title", "filter", "decisions", "ceiling", "prefix"),
            "prompts": templates_of(config, declared.prompts),
        },
        "evaluators": evaluators,
        "filtered": {"majority": declared.filter.majority, "evaluators": evaluators},
        "decisions": declared.decisions,
        "final": {"seed": declared.seed},
        "card": _card(config, declared),
    }


def evaluators_of(config: Config, declared: Construct) -> dict[str, list[str]]:
    """The protocols of each evaluator, named in full."""
    wording = declared.filter.wording
    named = declared.filter.evaluators.items()
    return {model: [in_wording(name, wording, config) for name in protocols] for model, protocols in named}


def _evaluator(config: Config, model: str, names: list[str]) -> dict[str, Any]:
    return {
        "protocols": {name: options_of(config, name) for name in names},
        "worded": worded(config, names),
        "parsing": parsing_of(config, model, names),
    }


def _writing(config: Config, declared: Construct, judges: Mapping[str, Any], step: str) -> dict[str, Any]:
    return {
        **judges[getattr(declared, MODELS[step])],
        "prompts": templates_of(config, declared.prompts),
        "wording": declared.prompts,
        "template": template_of(declared, step),
    }


def _card(config: Config, declared: Construct) -> dict[str, Any]:
    """Title, licences and citations of what a set is made of; what is only computed is this project's own."""
    if declared.counterpart:
        return {**_card(config, config.construct[declared.counterpart]), "title": declared.title}
    names = [config.pool[name].source for name in declared.pools]
    if declared.benchmark:
        names.append(config.benchmark[declared.benchmark].source)
    sources = [config.source[name] for name in names if name]
    return {
        "title": declared.title,
        "licences": list(dict.fromkeys(source.licence for source in sources)) or ["Apache-2.0"],
        "citations": list(dict.fromkeys(source.citation for source in sources)),
    }


def check(config: Config) -> None:
    """Every name in the pools and sets is known, and each strategy has what it needs."""
    for name, pool in config.pool.items():
        known(pool.source, config.source, f"pool.{name}.source")
        check_columns(name, pool)
    for name, declared in config.construct.items():
        where = f"construct.{name}"
        _check_needed(declared, where)
        models = (declared.first, declared.perturb, declared.second, declared.embedder, *declared.filter.evaluators)
        _all_known(declared.pools, config.pool, f"{where}.pools")
        _all_known([declared.prompts], config.prompts, f"{where}.prompts")
        _all_known(models, config.model, where)
        _all_known([declared.counterpart], config.construct, f"{where}.counterpart")
        _all_known([declared.benchmark], config.benchmark, f"{where}.benchmark")
        for model, protocols in declared.filter.evaluators.items():
            bases = [ProtocolName.parse(protocol).base for protocol in protocols]
            _all_known(bases, config.protocol, f"{where}.filter.evaluators.{model}")
        for word in declared.structures:
            structure(word)
        wordings = [template_of(declared, step) for step in steps_of(declared)]
        wordings += [WORDED[declared.strategy]] if declared.strategy in WORDED else []
        _all_known(wordings, config.prompts[declared.prompts].templates, f"prompts.{declared.prompts}.templates")


def _all_known(words: Iterable[str], group: Mapping[str, Any], where: str) -> None:
    for word in filter(None, words):
        known(word, group, where)


def _check_needed(declared: Construct, where: str) -> None:
    for key in NEEDED[declared.strategy]:
        if not getattr(declared, key):
            raise PlumblineError(f"the strategy {declared.strategy!r} needs {key!r}", where=f"{where}.{key}")
