"""A benchmark read whole: the instances that its rows became, with their labels."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.loaded import Loaded
from plumbline.data.loading import load
from plumbline.sources.archive import SourceFiles


def read_all(
    benchmark: ReadBenchmark,
    source: SourceFiles,
    labels: SourceFiles | None = None,
    joined: Mapping[str, SourceFiles] = MappingProxyType({}),
) -> list[Loaded]:
    """What a benchmark's loader reads; rows that make no instance are left out."""
    return [loaded for one in load(benchmark, source, labels, joined) for loaded in one.loaded]
