"""What models are asked before there is anything to judge: texts, votes and vectors that derivations need."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.asking.settings import options_of
from plumbline.config.benchmark import Benchmark, DerivedBenchmark
from plumbline.config.whole import Config
from plumbline.derive.derivation import needs_of
from plumbline.records.files import digest_value
from plumbline.writing.settings import settings_of
from plumbline.writing.step import StepName

WRITE = "write:"
"""Begins the name of what is asked in order to have a text, and no verdict."""
Settings = dict[str, dict[str, dict[str, Any]]]
"""By benchmark, model and name of what is asked, what decides the answers."""
Asked = dict[str, dict[str, dict[str, list[str]]]]
"""By benchmark, model and name of what is asked, the subsets it is asked about; none: all."""


def embedding_name(prefix: str) -> str:
    return "embedding" + (f"+{digest_value(prefix)[:8]}" if prefix else "")


@dataclass(frozen=True)
class Before:
    """One kind of ask that a derivation stands on."""

    benchmark: str
    model: str
    name: str
    """A protocol, or `write:` and the step in which the model writes."""
    subsets: tuple[str, ...] = ()


def before(benchmark: Benchmark) -> Iterator[Before]:
    """What must be asked for one benchmark to be made."""
    if not isinstance(benchmark, DerivedBenchmark):
        return
    needs, own = needs_of(benchmark), next(iter(benchmark.parents), "")
    for text in needs.texts.values():
        subsets = (text.subset,) if text.subset else ()
        yield Before(text.about or own, text.model, f"{WRITE}{StepName.parse(text.step)}", subsets)
    for said in needs.verdicts:
        yield from (Before(said.about or own, said.model, protocol, tuple(said.subsets)) for protocol in said.protocols)
    for vectors in needs.vectors:
        yield Before(vectors.about, vectors.model, WRITE + embedding_name(vectors.prefix))


def asked_before(nodes: Mapping[str, Benchmark]) -> Asked:
    """All that the derivations of these benchmarks need."""
    found: Asked = {}
    for benchmark in nodes.values():
        for one in before(benchmark):
            names = found.setdefault(one.benchmark, {}).setdefault(one.model, {})
            known = names.get(one.name)
            whole = not one.subsets or known == []
            names[one.name] = [] if whole else list(dict.fromkeys([*(known or ()), *one.subsets]))
    return found


def writing(config: Config, asked: Asked) -> Settings:
    """The steps in which models write."""
    return _named(asked, lambda name, subsets: settings_of(config, name.removeprefix(WRITE), subsets), written=True)


def evaluating(config: Config, asked: Asked) -> Settings:
    """The protocols with which models judge."""
    return _named(asked, lambda name, subsets: options_of(config, name) | {"subsets": subsets}, written=False)


def _named(asked: Asked, make: Callable[[str, list[str]], Any], written: bool) -> Settings:
    found: Settings = {}
    for benchmark, models in asked.items():
        for model, names in models.items():
            for name, subsets in sorted(names.items()):
                if name.startswith(WRITE) == written:
                    key = name.removeprefix(WRITE)
                    found.setdefault(benchmark, {}).setdefault(model, {})[key] = make(name, subsets)
    return found
