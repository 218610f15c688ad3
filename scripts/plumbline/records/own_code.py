"""What a user's own code gives, held to what it should be: its mistakes name it, its line and what it was given."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log
from plumbline.records.places import place_reached

Misfit = Callable[[Any], str]


class Misgiven(Exception):
    """What it gives is not what it should be."""


@contextmanager
def mistakes_named(name: str, function: Callable[..., Any], what: Callable[[], str]) -> Iterator[None]:
    """An error that the code words itself stays as it is; of any other the log has the traceback too."""
    try:
        yield
    except PlumblineError:
        raise
    except (Exception, SystemExit) as error:
        message = str(error)
        if not isinstance(error, Misgiven):
            message = f"{type(error).__name__}: {error}"
            log.debug("%s", traceback.format_exc())
        raise PlumblineError(
            f"{name} fails: {' '.join(message.split())}", where=place_reached(function, error), found=what()
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
