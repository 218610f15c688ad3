"""Which output of a pair stands first, drawn so that its place tells nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plumbline.config.benchmark import OfOne
from plumbline.data.instances import DOCUMENT, Instance, content_id
from plumbline.derive.derivation import Made, Result, derivation
from plumbline.derive.given import Given
from plumbline.records.files import digest_value


@dataclass(frozen=True, kw_only=True)
class Turned(OfOne):
    """How it is drawn."""

    seed: int = 20240424
    """What decides it, with what the pair was made of."""


@derivation(options=Turned)
def turned(instance: Instance, given: Given, options: Turned) -> Result:
    """Half of the pairs with their outputs in the other order; labels go with the outputs."""
    if int(digest_value([options.seed, seed_of(instance)]), 16) % 2:
        return Made(replace(instance, id="", outputs=instance.outputs[::-1]), facts={"turned": "yes"})
    return Made(instance, facts={"turned": "no"})


def seed_of(instance: Instance) -> str:
    """What a pair was made of, and the pair; of one that people wrote its own name."""
    own = content_id(instance.instruction, *instance.context.get(DOCUMENT, ()), "", *instance.texts)
    if instance.key.partition("-")[0] == own:
        return instance.key
    return content_id(instance.key, instance.instruction, *instance.texts)
