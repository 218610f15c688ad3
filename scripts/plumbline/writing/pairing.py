"""Pairs of an output and a text of its instance, e.g. a model's response beside the human-written one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from plumbline.data.instances import DOCUMENT, Instance, Output
from plumbline.data.loaded import Loaded
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.joblog import log


def paired_with(name: str, loaded: Iterable[Loaded]) -> Iterator[Loaded]:
    """Each output beside the first text of this name, without ids and labels; of equal pairs the first one.

    Judged as any pair is, they say how often a model's response is preferred to the text (HREF, section 3.4).
    """
    seen: set[tuple[str, ...]] = set()
    without = 0
    for one in loaded:
        instance = one.instance
        texts = _texts(name, instance)
        without += not texts
        for output in instance.outputs if texts else ():
            content = (instance.instruction, *instance.context.get(DOCUMENT, ()), "", output.system, output.text)
            if content not in seen:
                seen.add(content)
                yield Loaded(replace(instance, id="", outputs=(output, Output(name, texts[0]))))
    if without:
        log.warning("left out, for want of a %s to be paired with: %d instances", name, without)


def _texts(name: str, instance: Instance) -> tuple[str, ...]:
    if name not in instance.context:
        raise PlumblineError(
            f"an instance has no {name!r} in its context to be paired with",
            where=instance.origin or f"instance {instance.id}",
            do=nearest(name, instance.context),
        )
    return instance.context[name]
