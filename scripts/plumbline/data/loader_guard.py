"""What a loader gives, held to what it should be: its mistakes name it, its line and the instance that they follow."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import is_dataclass, replace
from functools import cache
from itertools import islice
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.archive import SourceFiles
from plumbline.data.loaded import Loaded
from plumbline.data.loader import Loader
from plumbline.data.rated import checked
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log
from plumbline.records.places import place_reached


class Misgiven(Exception):
    """What a loader gives is no instance with its labels."""


def each_subset(loader: Loader[Any], benchmark: ReadBenchmark, source: SourceFiles) -> Iterator[Loaded]:
    """All that a loader gives of a benchmark, as it is taken; a subset without any instance is refused."""
    empty = []
    for subset in benchmark.subsets:
        taken = 0
        for one in islice(of_subset(loader, benchmark, source, subset), benchmark.limit or None):
            yield one
            taken += 1
        empty += [] if taken else [subset]
    if loader.check:
        with mistakes_named(loader, loader.check, lambda: ""):
            loader.check(benchmark, source)
    for subset in empty:
        where = "/".join(filter(None, (str(source.path), benchmark.subsets[subset])))
        raise PlumblineError(
            f"the subset {subset!r} has no instances", where=where, found=f"nothing, read by the loader {loader.name!r}"
        )


def of_subset(loader: Loader[Any], benchmark: ReadBenchmark, source: SourceFiles, subset: str) -> Iterator[Loaded]:
    """The instances of one subset, each of which is whole."""
    assert loader.load, "a benchmark that is read from sources has a loader that reads"
    last = ""
    with mistakes_named(loader, loader.load, lambda: f"the instance before it is {last}" if last else ""):
        given: Any = loader.load(benchmark, source, subset)
        if not isinstance(given, Iterable):
            raise Misgiven(f"it gives {given!r}, and should yield one Loaded(instance, labels) after another")
        for number, one in enumerate(given, start=1):
            if problem := misfit(one, Loaded, "what it gives"):
                raise Misgiven(problem)
            if one.instance.subset != subset:
                raise Misgiven(f"it is asked for the subset {subset!r} and gives one of {one.instance.subset!r}")
            labels = ((one.instance.origin, label) for label in one.labels)
            yield replace(one, labels=tuple(checked(labels, len(one.instance.outputs), one.instance.id)))
            last = one.instance.origin or f"number {number}"


@contextmanager
def mistakes_named(loader: Loader[Any], function: Callable[..., Any], found: Callable[[], str]) -> Iterator[None]:
    """An error that a loader words itself stays as it is; of any other the log has the traceback too."""
    try:
        yield
    except PlumblineError:
        raise
    except (Exception, SystemExit) as error:
        said = str(error)
        if not isinstance(error, Misgiven):
            said = f"{type(error).__name__}: {error}"
            log.debug("%s", traceback.format_exc())
        raise PlumblineError(
            f"the loader {loader.name!r} fails: {' '.join(said.split())}",
            where=place_reached(function, error),
            found=found(),
        ) from error


def misfit(value: Any, hint: Any, name: str) -> str:
    """The first part of a value that is not of its declared type, in words; nothing where all are."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):  # of a type and None
        return "" if value is None else misfit(value, arguments[0], name)
    kind = float | int if hint is float else origin or hint
    if not isinstance(value, kind) or isinstance(value, bool):
        return f"{name} is {value!r:.80}, and should be of the type {hint if origin else hint.__name__}"
    return next(filter(None, (misfit(*part) for part in parts_of(value, hint, name))), "")


def parts_of(value: Any, hint: Any, name: str) -> Iterator[tuple[Any, Any, str]]:
    """What a record, a tuple or a mapping holds, with the type and the place of each."""
    if isinstance(hint, type) and is_dataclass(hint):
        yield from ((getattr(value, field), of, f"{name}.{field}") for field, of in hints_of(hint).items())
    elif isinstance(value, tuple):
        yield from ((item, get_args(hint)[0], f"{name}[{number}]") for number, item in enumerate(value))
    elif isinstance(value, Mapping):
        yield from ((key, str, f"a key of {name}") for key in value)
        yield from ((item, get_args(hint)[1], f"{name}[{key!r}]") for key, item in value.items())


@cache
def hints_of(record: type) -> Mapping[str, Any]:
    return get_type_hints(record)
