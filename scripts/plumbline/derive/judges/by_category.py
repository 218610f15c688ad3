"""Preferences by the method that was chosen for the category of each instance (HREF, section 3.2, Composite)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import Verdict
from plumbline.derive.derived_judge import ByModel, Composed, derived_judge
from plumbline.models.engines.by_category import Settings
from plumbline.records.errors import PlumblineError

SHOWN = 5
"""So many categories without a method are named."""


@derived_judge
def by_category(instances: Iterable[Instance], by_model: ByModel, composed: Composed) -> Iterator[Verdict]:
    """What the method of an instance's category prefers, in each order in which it was shown the outputs."""
    settings: Settings = composed.settings
    without: Counter[str] = Counter()
    for instance in instances:
        about = {model: verdicts.of(instance) for model, verdicts in by_model.items()}
        name = method_of(instance, settings)
        if name not in settings.methods:
            without[category_of(instance, settings)] += 1
            continue
        method = settings.methods[name]
        said = [one for one in about[method.model] if (one.protocol, one.question) == (method.protocol, BETTER)]
        for protocol in composed.protocols:
            yield from (
                replace(one, protocol=protocol, step=name, derived_from=(f"{BETTER}/{one.showing}",)) for one in said
            )
    if without:
        raise unnamed(without, settings)


def category_of(instance: Instance, settings: Settings) -> str:
    return next(iter(instance.context.get(settings.context, ())), "")


def method_of(instance: Instance, settings: Settings) -> str:
    return settings.categories.get(category_of(instance, settings), settings.otherwise)


def unnamed(without: Counter[str], settings: Settings) -> PlumblineError:
    named = [f"{category!r}: {count:,}" if category else f"none: {count:,}" for category, count in without.items()]
    more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
    return PlumblineError(
        f"{without.total():,} instances are of a category that has no method",
        where="an engine of the kind by_category, key categories",
        expected=", ".join(settings.categories),
        found=", ".join(named[:SHOWN]) + more,
        do="name the method of each in `categories`, or that of all others in `otherwise`",
    )
