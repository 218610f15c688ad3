"""Sets of pairs that are built: whether their declarations hold together, and what is told of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from plumbline.asking.protocols import ProtocolName
from plumbline.config.benchmark import Benchmark, OfOne
from plumbline.config.construct import Construct, Filter
from plumbline.config.tables import Table
from plumbline.config.typed import known
from plumbline.config.whole import Config
from plumbline.data.loaders.pool import check_columns
from plumbline.derive.chain import Build
from plumbline.derive.derivation import needs_of
from plumbline.derive.derivations.near import Near
from plumbline.derive.derivations.together import Together
from plumbline.derive.needs import TextNeed
from plumbline.records.errors import PlumblineError
from plumbline.workflow.biases import unbiased
from plumbline.workflow.derivations import check_needs
from plumbline.workflow.nodes import build_of, is_set, state_of
from plumbline.workflow.waiting import sources_of_set

NAMING = {"pools": "pool", "embedder": "model", "prompts": "prompts"}
"""Which groups the words of a set's file name, where that follows from the file alone."""


def check(config: Config) -> None:
    """Every name in the pools and sets is known, and each strategy has what it needs."""
    for name, pool in config.pool.items():
        known(pool.source, config.source, f"pool.{name}.source")
        check_columns(name, pool)
    for name, shared in config.filter.items():
        _check_filter(config, shared, f"filter.{name}")
    for name, declared in config.construct.items():
        _check_set(config, name, declared, f"construct.{name}")


def _check_set(config: Config, name: str, declared: Construct, where: str) -> None:
    _check_needed(declared, where)
    for word, group in NAMING.items():
        value = getattr(declared, word, "")
        _all_known(value if isinstance(value, list) else [value], getattr(config, group), f"{where}.{word}")
    counterpart, benchmark = getattr(declared, "counterpart", ""), getattr(declared, "benchmark", "")
    _all_known([counterpart.partition("/")[0]], config.construct, f"{where}.counterpart")
    _all_known([benchmark], config.benchmark, f"{where}.benchmark")
    subsets = getattr(declared, "subsets", [])
    _all_known(subsets, config.benchmark[benchmark].subsets if subsets else {}, f"{where}.subsets")
    _check_filter(config, declared.filter, f"{where}.filter")
    for node in build_of(config, name, {name: declared}).nodes.values():
        _check_similarity(node, where)
        check_needs(config, needs_of(node), where)


def _check_similarity(node: Benchmark, where: str) -> None:
    if isinstance(node, Near) and node.floor >= node.ceiling:
        raise PlumblineError(
            "the floor of similarity leaves no neighbour",
            where=f"{where}.floor",
            expected=f"less than the ceiling, {node.ceiling:g}",
            found=f"{node.floor:g}",
        )


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


# what is told of sets


def told(config: Config, builds: Mapping[str, Build]) -> dict[str, dict[str, Any]]:
    """By set what its datasheet and its dataset's card say beside the data."""
    return {
        name: {
            "card": card(config, name),
            "sheet": {
                "title": declared.title,
                "notes": unbiased(config, declared.filter),
                "made_by": made_by(config, builds, name),
            },
        }
        for name, declared in config.construct.items()
    }


def card(config: Config, name: str) -> dict[str, Any]:
    """Title, licences and citations of what a set is made of; what is only computed is this project's own."""
    sources = [config.source[source] for source in sources_of_set(name, config) if source]
    return {
        "title": config.construct[name].title,
        "licences": list(dict.fromkeys(source.licence for source in sources)) or ["Apache-2.0"],
        "citations": list(dict.fromkeys(source.citation for source in sources)),
    }


def made_by(config: Config, builds: Mapping[str, Build], name: str) -> dict[str, Any]:
    """Which models write what of a set, and which filter it; of a counterpart those of the other set."""
    declared = config.construct[name]
    if counterpart := getattr(declared, "counterpart", ""):
        return made_by(config, builds, counterpart.partition("/")[0])
    written: dict[str, list[str]] = {}
    for role, text in texts_of(builds[name], name).items():
        written.setdefault(text.model, []).append(role)
    return {"written": written, "filtered": list(declared.filter.evaluators)}


def texts_of(build: Build, name: str) -> dict[str, TextNeed]:
    """What models write for the pairs of a set, by what it is to them."""
    pairs = build.nodes[build.place(name).node("pairs")]
    return dict(needs_of(pairs).texts)


def near_of(build: Build, name: str) -> Near | None:
    """How the neighbours of a set are found, of a set that has any."""
    found = build.nodes.get(build.place(name).node("near"))
    return found if isinstance(found, Near) else None


def built_of(config: Config, table: Table) -> dict[str, dict[str, str]]:
    """The benchmarks of a table whose sets are built here: by subset whether people reviewed its set."""
    picks = [table.picks, *table.columns.values(), *table.rows.values()]
    names = dict.fromkeys([table.benchmark, *(pick.benchmark for pick in picks)])
    found = {name: _states(config, config.benchmark[name]) for name in names if name}
    return {name: states for name, states in found.items() if states}


def _states(config: Config, benchmark: Benchmark) -> dict[str, str]:
    if isinstance(benchmark, OfOne):
        return _states(config, config.benchmark[benchmark.of])
    if not isinstance(benchmark, Together):
        return {}
    made = benchmark.subsets.items()
    return {subset: state_of(config, each) for subset, each in made if is_set(config, each)}
