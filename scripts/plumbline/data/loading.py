"""Read the instances and labels of a benchmark from its sources, whatever their format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.gaps import Gaps
from plumbline.data.instances import base_id
from plumbline.data.joined import JoinedTexts
from plumbline.data.ledger import DROPPED, KEPT, Entry
from plumbline.data.loaded import Accounted, Joiner, Loaded, Unused, joined_by
from plumbline.data.loader import named as loader_named
from plumbline.data.loader_guard import each_subset
from plumbline.data.rated import JoinedLabels
from plumbline.sources.archive import SourceFiles


def load(
    benchmark: ReadBenchmark,
    source: SourceFiles,
    labels: SourceFiles | None = None,
    joined: Mapping[str, SourceFiles] = MappingProxyType({}),
) -> Iterator[Accounted]:
    """All rows with their instances and labels, subset by subset in the order of the configuration, read as they are
    taken.

    `joined` are the sources of the benchmark's joined texts, by the texts' names.
    """
    given = each_subset(loader_named(benchmark.loader), benchmark, source)
    joiners: list[Joiner] = [JoinedLabels.read(benchmark, labels, limited=benchmark.limit > 0)] if labels else []
    joiners += [JoinedTexts.read(name, declared, joined[name]) for name, declared in benchmark.joined.items()]
    return joined_by([*joiners, Gaps()], accounted(given))


def accounted(given: Iterable[Loaded | Unused]) -> Iterator[Accounted]:
    """Each instance under the id of its content, repeated content numbered in order; unused rows with their reasons."""
    seen: Counter[str] = Counter()
    for one in given:
        if isinstance(one, Unused):
            yield Accounted(unused(one))
            continue
        base = base_id(one.instance)
        seen[base] += 1
        name = base if seen[base] == 1 else f"{base}-{seen[base]}"
        instance = replace(one.instance, id=name)
        entry = Entry(instance.origin, KEPT, (name,), subset=instance.subset, origin=instance.origin, key=instance.key)
        labels = tuple(replace(label, instance=name) for label in one.labels)
        yield Accounted(entry, (Loaded(instance, labels),))


def unused(row: Unused) -> Entry:
    texts = {name: text for name, text in row.texts.items() if text}
    return Entry(row.origin, DROPPED, reason=row.reason, subset=row.subset, origin=row.origin, texts=texts)
