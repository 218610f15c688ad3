"""Read the instances and labels of a benchmark from its sources, whatever their format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.gaps import reported
from plumbline.data.joined import Joined
from plumbline.data.loaded import Loaded, named
from plumbline.data.loader import named as loader_named
from plumbline.data.loader_guard import each_subset
from plumbline.data.rated import Rated
from plumbline.sources.archive import SourceFiles


def load(
    benchmark: ReadBenchmark,
    source: SourceFiles,
    labels: SourceFiles | None = None,
    joined: Mapping[str, SourceFiles] = MappingProxyType({}),
) -> Iterator[Loaded]:
    """All instances with their labels, subset by subset in the order of the configuration, read as they are taken.

    `joined` are the sources of the benchmark's joined texts, by the texts' names.
    """
    found = named(each_subset(loader_named(benchmark.loader), benchmark, source))
    if labels:
        found = Rated.read(benchmark, labels).added(found, limited=benchmark.limit > 0)
    for name, declared in benchmark.joined.items():
        found = Joined.read(name, declared, joined[name]).added(found)
    return reported(found)
