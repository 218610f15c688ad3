"""What a loader gives, held to what it should be: its mistakes name it, its line and the instance that they follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.loaded import Loaded, Unused
from plumbline.data.loader import Loader
from plumbline.data.rated import checked
from plumbline.records.errors import PlumblineError
from plumbline.records.own_code import Misgiven, mistakes_named, named_misfit
from plumbline.sources.archive import SourceFiles


def each_subset(loader: Loader[Any], benchmark: ReadBenchmark, source: SourceFiles) -> Iterator[Loaded | Unused]:
    """All that a loader gives of a benchmark, as it is taken; a subset without any instance is refused."""
    empty = []
    for subset in benchmark.subsets:
        taken = 0
        for one in of_subset(loader, benchmark, source, subset):
            yield one
            taken += isinstance(one, Loaded)
            if taken == benchmark.limit > 0:
                break
        empty += [] if taken or loader.may_be_empty else [subset]
    if loader.check:
        with mistakes_named(f"the loader {loader.name!r}", loader.check, lambda: ""):
            loader.check(benchmark, source)
    for subset in empty:
        where = "/".join(filter(None, (str(source.path), benchmark.subsets[subset])))
        raise PlumblineError(
            f"the subset {subset!r} has no instances", where=where, found=f"nothing, read by the loader {loader.name!r}"
        )


def of_subset(
    loader: Loader[Any], benchmark: ReadBenchmark, source: SourceFiles, subset: str
) -> Iterator[Loaded | Unused]:
    """The instances of one subset, each of which is whole."""
    last = ""
    with mistakes_named(
        f"the loader {loader.name!r}", loader.load, lambda: f"the instance before it is {last}" if last else ""
    ):
        given: Any = loader.load(benchmark, source, subset)
        if not isinstance(given, Iterable):
            raise Misgiven(f"it gives {given!r}, and should yield one Loaded(instance, labels) after another")
        for number, one in enumerate(given, start=1):
            if isinstance(one, Unused):
                yield one
                continue
            if problem := named_misfit("what it gives", one, Loaded):
                raise Misgiven(problem)
            if one.instance.subset != subset:
                raise Misgiven(f"it is asked for the subset {subset!r} and gives one of {one.instance.subset!r}")
            labels = ((one.instance.origin, label) for label in one.labels)
            yield Loaded(one.instance, tuple(checked(labels, len(one.instance.outputs), one.instance.id)))
            last = one.instance.origin or f"number {number}"
