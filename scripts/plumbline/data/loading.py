"""Read the instances and labels of a benchmark from its sources, whatever their format."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from plumbline.config.benchmark import Benchmark
from plumbline.data import loaders
from plumbline.data.archive import SourceFiles
from plumbline.data.gaps import reported
from plumbline.data.instances import Instance
from plumbline.data.joined import Joined
from plumbline.data.labels import Label
from plumbline.data.loaded import Loaded, named
from plumbline.data.rated import Rated
from plumbline.records.rows import writing_records

MADE_HERE = ("construct", "derived")
"""Where instances come from that no loader reads."""


def loader_names() -> list[str]:
    """All that a benchmark may name as its loader; none of them is imported."""
    return [*sorted(module.name for module in pkgutil.iter_modules(loaders.__path__)), *MADE_HERE]


def load(
    benchmark: Benchmark,
    source: SourceFiles,
    labels: SourceFiles | None = None,
    joined: Mapping[str, SourceFiles] = MappingProxyType({}),
) -> Iterator[Loaded]:
    """All instances with their labels, subset by subset in the order of the configuration, read as they are taken.

    `joined` are the sources of the benchmark's joined texts, by the texts' names.
    """
    module = importlib.import_module(f"{loaders.__name__}.{benchmark.loader}")

    def loaded() -> Iterator[Loaded]:
        for subset in benchmark.subsets:
            yield from islice(module.load(benchmark, source, subset), benchmark.limit or None)
        module.check(benchmark, source)

    found = named(loaded())
    if labels:
        found = Rated.read(benchmark, labels).added(found, limited=benchmark.limit > 0)
    for name, declared in benchmark.joined.items():
        found = Joined.read(name, declared, joined[name]).added(found)
    return reported(found)


def write_loaded(instances: Path, labels: Path, loaded: Iterable[Loaded]) -> int:
    """Instances and labels into a file each, in the same order; says how many instances there are."""
    count = 0
    with writing_records(instances, Instance) as add, writing_records(labels, Label) as add_labels:
        for one in loaded:
            add([one.instance])
            add_labels(one.labels)
            count += 1
    return count
