"""Derivations run on instances at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from plumbline.config.benchmark import DerivedBenchmark
from plumbline.data.instances import Instance, Output, identified
from plumbline.data.labels import BETTER, GOLD, Label
from plumbline.data.loaded import Accounted
from plumbline.data.texts import State, Text
from plumbline.derive.deriving import Deriving, Parent
from plumbline.derive.given import ById, GivenSet


def instance(instruction: str, *outputs: str, key: str = "", subset: str = "all", **context: str) -> Instance:
    """One whose outputs are by the systems a, b, …"""
    named = tuple(Output("abcdefgh"[place], text) for place, text in enumerate(outputs))
    texts = {name: (text,) for name, text in context.items()}
    return Instance("", subset, instruction, named, texts, f"f#{instruction}", key or instruction)


def stored(*instances: Instance) -> list[Instance]:
    return list(identified(instances))


def gold(instance: Instance, word: str) -> Label:
    return Label(instance.id, GOLD, BETTER, None, word, None)


def text(instance: Instance, written: str, step: str = "s@w", state: State = "written", number: int = 0) -> Text:
    return Text(instance.id, step, 0, number, written, state)


def derive(
    benchmark: DerivedBenchmark, instances: Iterable[Instance], labels: Iterable[Label] = (), **given: Any
) -> list[Accounted]:
    """What the benchmark's one parent becomes."""
    rows = list(labels)
    parents = [Parent(name, list(instances), ById(rows)) for name in benchmark.parents[:1]]
    return list(Deriving("here", benchmark, parents, GivenSet(labels=ById(rows), **given)).run())


def made(accounted: Sequence[Accounted]) -> list[Instance]:
    return [loaded.instance for one in accounted for loaded in one.loaded]


def labels_of(accounted: Sequence[Accounted]) -> list[Label]:
    return [label for one in accounted for loaded in one.loaded for label in loaded.labels]


def reasons(accounted: Sequence[Accounted]) -> list[str]:
    return [one.entry.outcome for one in accounted]


def written(texts: Mapping[str, Iterable[Text]]) -> dict[str, ById[Text]]:
    return {role: ById(result) for role, result in texts.items()}


def unnamed(instances: Iterable[Instance]) -> list[Instance]:
    return [replace(one, id="") for one in instances]


def about(name: str, *outputs: str) -> Instance:
    """An instruction about a thing, called by its name, with its output or with two that people compared."""
    return instance(f"Tell me about {name}.", *(outputs or (f"All about {name}.",)), key=name)


def words(accounted: Sequence[Accounted]) -> list[str]:
    """The labels of what was made."""
    return [label.word for label in labels_of(accounted)]
