"""Options of measures as people read them: each with its sentence, described once for all measures that share it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from plumbline.commands.key_tables import code, dataclasses_in, escaped, section
from plumbline.commands.keys import Key, keys
from plumbline.config.typed import hints_of
from plumbline.measuring.measure import MEASURES, Measure, named, names

HEAD = """## Options

What a table's rows, columns and `picks` may set for a measure beside what every cell picks (`Pick` in
[SCHEMA.md](../config/SCHEMA.md), which explains the types too), e.g. `{metric: alpha, level: ordinal}`. A cell whose
measure has no such option is refused.
"""
COLUMNS = "| type | default | meaning | measures |\n|---|---|---|---|\n"


@dataclass(frozen=True)
class DeclaredOption:
    """An option as some measures declare it."""

    key: Key
    hint: Any
    measures: list[str] = field(default_factory=list)


def options_of(measure: Measure) -> dict[str, Key]:
    """The options of one measure by their names."""
    return {key.name: key for key in keys(measure.observer.options)}


def declared_options() -> dict[str, list[DeclaredOption]]:
    """All options by name; of one that measures declare in different words, each way."""
    by_name: dict[str, dict[Key, DeclaredOption]] = {}
    for measure in map(named, sorted(names(), key=MEASURES.module_of)):
        hints = hints_of(measure.observer.options)
        for name, key in options_of(measure).items():
            by_name.setdefault(name, {}).setdefault(key, DeclaredOption(key, hints[name])).measures.append(measure.name)
    return {name: list(by_name[name].values()) for name in sorted(by_name)}


def links(measure: Measure) -> str:
    """A measure's options, each leading to where it is described."""
    return ", ".join(f"[`{name}`](#{anchor(name)})" for name in sorted(options_of(measure)))


def anchor(option: str) -> str:
    """What leads to the heading of an option."""
    return f"option-{option}"


def document() -> Iterator[str]:
    """The part of docs/measures.md about options."""
    declared = declared_options()
    yield HEAD
    for name, each in declared.items():
        yield f"### Option `{name}`\n\n{COLUMNS}" + "".join(map(line, each))
    nested = (kind for each in declared.values() for one in each for kind in dataclasses_in(one.hint))
    yield from map(section, dict.fromkeys(nested))


def line(declared: DeclaredOption) -> str:
    key, measures = declared.key, ", ".join(f"`{name}`" for name in declared.measures)
    return f"| {code(key.kind)} | {code(key.default) or 'required'} | {escaped(key.sentence)} | {measures} |\n"
