"""Rated examples of an instance's context, as templates show them."""

from __future__ import annotations

import json
from typing import Any

from plumbline.data.instances import Instance
from plumbline.records.errors import PlumblineError


def examples_in(instance: Instance, name: str, count: int) -> list[dict[str, Any]]:
    """The first so many: each a document, an instruction, an answer and its rating."""
    given = instance.context.get(name, ())
    if len(given) < count:
        raise PlumblineError(
            f"an instance has {len(given)} rated examples under {name!r}",
            where=f"instance {instance.id} ({instance.origin})",
            expected=f"{count}",
            do="raise `examples.count` of its benchmark, or lower the protocol's `shots`",
        )
    return [json.loads(text) for text in given[:count]]
