"""What a setting changes: an answer, or only how fast it comes, what it costs, or how people see it.

A class that declares settings says it by naming one of these as its base; the settings of a class that names none
change answers.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, TypeVar

from plumbline.config.plain import as_plain, without_defaults
from plumbline.config.typed import build, without

Settings = TypeVar("Settings")


class Speed:
    """Settings that change how fast and how far a job goes, and where it runs, but no answer."""


class Cost:
    """Settings that change what is paid and who pays, but no answer."""


class Display:
    """Settings that change what people see, but no answer."""


class Parsing:
    """Settings that change how answers are read, but not what is asked."""


def names_of(kind: type, *parts: type) -> set[str]:
    """The settings of a class that classes of these parts declare."""
    return {name for base in kind.__mro__ if set(parts) & set(base.__bases__) for name in inspect.get_annotations(base)}


def of_parts(settings: Any, *parts: type) -> dict[str, Any]:
    """The settings of these parts as plain data, where they are not as they are by default."""
    names = names_of(type(settings), *parts)
    return {name: value for name, value in without_defaults(settings).items() if name in names}


def with_parts(settings: Settings, parts: Mapping[str, Any]) -> Settings:
    """The same settings with these parts, given as plain data."""
    return build(type(settings), {**as_plain(settings), **parts}, type(settings).__name__)


def of_answers(settings: Any) -> dict[str, Any]:
    """The settings that change an answer as plain data, where they are not as they are by default."""
    return without(without_defaults(settings), *names_of(type(settings), *OTHERS))


OTHERS = (Speed, Cost, Display, Parsing)
"""What changes no answer."""
