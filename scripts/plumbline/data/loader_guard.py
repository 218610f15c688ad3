"""What a loader gives, held to what it should be: its mistakes name it, its line and the instance that they follow."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from plumbline.config.benchmark import ReadBenchmark
from plumbline.data.loaded import Loaded, Unused
from plumbline.data.loader import Loader
from plumbline.data.rated import checked
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log
from plumbline.records.places import place_reached
from plumbline.sources.archive import SourceFiles

Misfit = Callable[[Any], str]


class Misgiven(Exception):
    """What a loader gives is no instance with its labels."""


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
        with mistakes_named(loader, loader.check, lambda: ""):
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
    with mistakes_named(loader, loader.load, lambda: f"the instance before it is {last}" if last else ""):
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


def named_misfit(name: str, value: Any, of: type) -> str:
    """The first part of a value that is not of its declared type, in words; nothing where all are."""
    problem = misfit_of(of)(value)
    return f"{name}{problem}" if problem else ""


@cache
def misfit_of(hint: Any) -> Misfit:
    """For a type a function that tells the place and the value of what does not fit it; made once, since a benchmark
    may have a million instances."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):  # of a type and None
        inner = misfit_of(arguments[0])
        return lambda value: "" if value is None else inner(value)
    kind = (float, int) if hint is float else origin or hint
    wanted = hint if origin else hint.__name__
    within: Misfit = nothing_within
    if isinstance(hint, type) and is_dataclass(hint):
        within = of_record({name: misfit_of(of) for name, of in get_type_hints(hint).items()})
    elif origin is tuple:
        within = of_items(misfit_of(arguments[0]))
    elif origin is Mapping:
        within = of_mapping(misfit_of(arguments[1]))

    def misfit(value: Any) -> str:
        if isinstance(value, kind) and not isinstance(value, bool):
            return within(value)
        return f" is {value!r:.80}, and should be of the type {wanted}"

    return misfit


def nothing_within(value: Any) -> str:
    return ""


def of_record(fields: Mapping[str, Misfit]) -> Misfit:
    def misfit(value: Any) -> str:
        for name, of in fields.items():
            if problem := of(getattr(value, name)):
                return f".{name}{problem}"
        return ""

    return misfit


def of_items(item: Misfit) -> Misfit:
    def misfit(value: Any) -> str:
        for number, one in enumerate(value):
            if problem := item(one):
                return f"[{number}]{problem}"
        return ""

    return misfit


def of_mapping(item: Misfit) -> Misfit:
    key = misfit_of(str)

    def misfit(value: Any) -> str:
        for name, one in value.items():
            if problem := key(name):
                return f"'s key{problem}"
            if problem := item(one):
                return f"[{name!r}]{problem}"
        return ""

    return misfit
