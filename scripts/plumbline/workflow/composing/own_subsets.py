"""The subsets of a file of one's own: a benchmark that declares none has those that its rows name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from plumbline.config.benchmark import Benchmark, ReadBenchmark
from plumbline.config.whole import Config
from plumbline.data.loader import SubsetOf
from plumbline.data.loader import named as loader_named
from plumbline.records.errors import PlumblineError
from plumbline.sources.source import rows_at

ALL = "all"
"""The subset of rows that name none."""


def own_subsets(config: Config, benchmark: Benchmark) -> dict[str, str]:
    """Those that are declared, or else those of its file, in the order in which it names them."""
    if benchmark.subsets or not isinstance(benchmark, ReadBenchmark):
        return benchmark.subsets
    subset_of, source = loader_named(benchmark.loader).subset_of, config.source.get(benchmark.source)
    if subset_of is None or source is None:
        return benchmark.subsets
    path = Path(source.path)
    if not source.path or not path.exists():
        return {ALL: ""}
    return dict.fromkeys(_named(path, path.stat().st_mtime_ns, subset_of), "")


@cache
def _named(path: Path, changed: int, subset_of: SubsetOf) -> tuple[str, ...]:
    """Read once, until the file changes. Rows that name no subset come first: they belong to the first one."""
    named: dict[str, None] = {}
    try:
        for _, _, row in rows_at(path):
            named[subset_of(row)] = None
    except PlumblineError:
        pass  # `read` says what is wrong with the file; here it would stop runs that are about others
    some = [name for name in named if name]
    return (ALL, *(name for name in some if name != ALL)) if "" in named or not some else tuple(some)
