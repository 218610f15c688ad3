"""Each instruction with another one that is close to it, and with the output that answers that one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from plumbline.config.benchmark import OfOne
from plumbline.config.typed import Ceiling, Share
from plumbline.data.instances import Instance
from plumbline.derive.derivation import Derived, Dropped, Made, Result, derivation
from plumbline.derive.given import GivenSet, Vectors, gold_in
from plumbline.derive.needs import Needs, VectorNeed
from plumbline.derive.neighbours import NOBODY, nearest_below
from plumbline.derive.sides import reference

NEIGHBOUR, NEIGHBOUR_OUTPUT = "neighbour", "neighbour_output"
"""The parts of the context with the other instruction, and with the output that answers it."""
ALL_TOO_CLOSE = "no neighbour below the ceiling"
TOO_FAR = "the neighbour is below the floor"


@dataclass(frozen=True, kw_only=True)
class Near(OfOne):
    """Which instructions are neighbours."""

    pools: list[str]
    """The benchmarks whose instructions are searched; a neighbour is always one of the same."""
    embedder: str
    """Model that embeds instructions."""
    prefix: str = ""
    """Text put before each instruction when it is embedded."""
    ceiling: Ceiling = 0.9
    """Only instructions less similar than this are neighbours."""
    floor: Share = 0.0
    """And only those at least as similar as this (0: all)."""


@dataclass(frozen=True)
class Neighbour:
    """Another instruction of the same pool, with the output that answers it."""

    instance: Instance
    output: str
    similarity: float


def needs(options: Near) -> Needs:
    return Needs(vectors=[VectorNeed(options.embedder, options.prefix, pool) for pool in options.pools])


@derivation(options=Near, needs=needs, whole=True, labels=True, packages=("torch",))
def near(benchmarks: Mapping[str, Iterable[Instance]], given: GivenSet, options: Near) -> Iterator[Derived]:
    """The most similar other instruction below the ceiling (LLMBar, section 2.2), down to the floor."""
    [(name, instances)] = benchmarks.items()
    drawn = list(instances)
    wanted = {instance.key for instance in drawn}
    by_key = {
        key: one for vectors in given.vectors for key, one in neighbours(vectors, options.ceiling) if key in wanted
    }
    for instance in drawn:
        yield Derived(name, instance, with_neighbour(instance, by_key.get(instance.key), options.floor))


def neighbours(vectors: Vectors, ceiling: float) -> Iterator[tuple[str, Neighbour]]:
    """By key of each instance of a pool its neighbour, of those that have one."""
    nearest = nearest_below(vectors.rows, ceiling)
    for instance, index, similarity in zip(vectors.instances, nearest.index, nearest.similarity, strict=True):
        if index != NOBODY:
            other = vectors.instances[index]
            output = reference(other, gold_in(vectors.labels.get(other.id, ()))).text
            yield instance.key, Neighbour(other, output, float(similarity))


def with_neighbour(instance: Instance, nearest: Neighbour | None, floor: float) -> Result:
    if nearest is None:
        return Dropped(ALL_TOO_CLOSE, {"instruction": instance.instruction})
    other = nearest.instance
    texts = {"instruction": instance.instruction, "the other instruction": other.instruction}
    facts = {"similarity": repr(nearest.similarity), "neighbour": other.key}
    if floor and nearest.similarity < floor:
        return Dropped(TOO_FAR, texts, facts)
    context = {**instance.context, NEIGHBOUR: (other.instruction,), NEIGHBOUR_OUTPUT: (nearest.output,)}
    return Made(replace(instance, context=context), texts=texts, facts=facts)
