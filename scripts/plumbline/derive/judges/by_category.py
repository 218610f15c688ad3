"""What a method says of an instance, where its category has that method (HREF, section 3.2, Composite)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import Verdict
from plumbline.derive.derived_judge import ByModel, Composed, derived_judge
from plumbline.models.engines.by_category import Settings
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log

NO_CATEGORY = "no category"
SHOWN = 5
"""So many categories without a method are named."""


@derived_judge
def by_category(instances: Iterable[Instance], by_model: ByModel, composed: Composed) -> Iterator[Verdict]:
    """The preferences of each instance's method, in whichever orders it was shown the outputs.

    Categories without a method are looked for in all instances, so that one error names them all.
    """
    settings: Settings = composed.settings
    counts, without = Counter[str](), Counter[str]()
    for instance in instances:
        about = {model: verdicts.of(instance) for model, verdicts in by_model.items()}
        categories = instance.context.get(settings.context, ())
        name = settings.method_of(categories)
        if not name:
            without[", ".join(categories) or NO_CATEGORY] += 1
            continue
        counts[name] += 1
        for protocol in composed.protocols:
            yield from chosen(about, settings, name, protocol)
    refuse_without_method(without, settings)
    log.info("%s", "; ".join(f"{count:,} instances by {name}" for name, count in counts.items()))


def chosen(about: Mapping[str, Sequence[Verdict]], settings: Settings, name: str, protocol: str) -> Iterator[Verdict]:
    """What a method prefers, as verdicts under the composite's own protocol; the step names the method."""
    method = settings.methods[name]
    for verdict in about[method.model]:
        if (verdict.protocol, verdict.question) == (method.protocol, BETTER):
            yield replace(verdict, protocol=protocol, step=name)


def refuse_without_method(without: Counter[str], settings: Settings) -> None:
    if not without:
        return
    total, named = without.total(), [f"{name} ({count:,})" for name, count in without.most_common(SHOWN)]
    more = [f"{len(without) - SHOWN} more"] if len(without) > SHOWN else []
    raise PlumblineError(
        f"{total:,} {'instance is' if total == 1 else 'instances are'} of a category that has no method",
        where=f"the context {settings.context!r}",
        expected=", ".join(settings.categories),
        found=", ".join(named + more),
        do="name each in `categories` of the judge's engine (config/engine/), or the method of all others in "
        "`otherwise`",
    )
