"""Pairs of an output and a text of its instance, e.g. a model's response beside the human-written one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from plumbline.config.benchmark import OfOne
from plumbline.data.instances import DOCUMENT, Instance, Output
from plumbline.derive.derivation import Derived, Dropped, derivation
from plumbline.derive.given import GivenSet
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.joblog import log

AGAIN = "the same pair as before"


@dataclass(frozen=True, kw_only=True)
class PairedWith(OfOne):
    """What outputs are paired with."""

    text: str
    """A text of an instance's context, e.g. reference. Each output makes a pair with it, which is the second output and
    has this name as its system; each such pair is there once."""


@derivation(options=PairedWith, whole=True)
def paired_with(
    benchmarks: Mapping[str, Iterable[Instance]], given: GivenSet, options: PairedWith
) -> Iterator[Derived]:
    """Each output beside the first text of a name; judged as any pair is, they say how often a model's response is
    preferred to the text (HREF, section 3.4)."""
    seen: set[tuple[str, ...]] = set()
    [(name, instances)] = benchmarks.items()
    without = 0
    for instance in instances:
        texts = texts_of(options.text, instance)
        if not texts:
            without += 1
            yield Derived(name, instance, Dropped(f"no {options.text} to be paired with"))
            continue
        for output in instance.outputs:
            content = (instance.instruction, *instance.context.get(DOCUMENT, ()), "", output.system, output.text)
            pair = replace(instance, id="", outputs=(output, Output(options.text, texts[0])))
            yield Derived(name, instance, Dropped(AGAIN) if content in seen else pair)
            seen.add(content)
    if without:
        log.warning("left out, for want of a %s to be paired with: %d instances", options.text, without)


def texts_of(name: str, instance: Instance) -> tuple[str, ...]:
    if name not in instance.context:
        raise PlumblineError(
            f"an instance has no {name!r} in its context to be paired with",
            where=instance.origin or f"instance {instance.id}",
            do=nearest(name, instance.context),
        )
    return instance.context[name]
