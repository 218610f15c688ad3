"""JSON Schemas of the files in `config/`: with them editors complete keys and names, and mark mistakes as one types."""

from __future__ import annotations

import dataclasses
import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from plumbline.asking import parser, program
from plumbline.commands.keys import Key, keys, own_keys
from plumbline.commands.measure_options import declared_options
from plumbline.config.benchmark import Benchmark
from plumbline.config.construct import Construct, Filter
from plumbline.config.engine import EngineSettings
from plumbline.config.groups import EACH
from plumbline.config.model import Model
from plumbline.config.parsers import Parser
from plumbline.config.protocol import Protocol
from plumbline.config.tables import Pick, Table
from plumbline.config.typed import Range, Regular, hints_of
from plumbline.config.whole import Config
from plumbline.data import loader
from plumbline.derive import derivation, recipe
from plumbline.models import kinds
from plumbline.records.files import write_json

Schema = dict[str, Any]
DRAFT = "http://json-schema.org/draft-07/schema#"
"""The newest that editors' YAML extensions know whole."""
PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    Any: {},
}
REFERENCE = {"type": "string", "pattern": r"\$\{"}
"""A value of another file, which Hydra puts in its place."""
LIST: Schema = {
    "description": "Several entries: by the name of each what it adds to the other keys, or has in another way.",
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {"type": ["object", "null"]},
}

NAMED = (Filter,)
"""In whose place a name from the group may stand."""


class Kinds(NamedTuple):
    """What may stand in the place of a class: one of several others, named by a key."""

    key: str
    names: Callable[[], list[str]]
    options: Callable[[str], type]
    default: str = ""
    """The kind where none is named."""


KINDS: Mapping[type, tuple[Kinds, ...]] = {
    Benchmark: (
        Kinds("loader", loader.names, lambda name: loader.named(name).options),
        Kinds("derive", derivation.names, lambda name: derivation.named(name).options),
    ),
    EngineSettings: (Kinds("kind", kinds.names, lambda name: kinds.named(name).settings),),
    Protocol: (Kinds("program", program.names, lambda name: program.named(name).options),),
    Parser: (Kinds("kind", parser.names, lambda name: parser.named(name).options, parser.DEFAULT),),
    Construct: (Kinds("strategy", recipe.names, lambda name: recipe.named(name).options),),
}


def write_schemas(folder: Path) -> dict[str, str]:
    """One file for each group, and which files of `config/` it is about."""
    about: dict[str, str] = {}
    for group, kind in groups().items():
        path = folder / f"{group}.json"
        write_json(path, schema_of(group, kind))
        about[path.as_posix()] = f"config/{group}/{'*/*' if kind is Table else '*'}.yaml"
    return about


def groups() -> dict[str, type]:
    """By group the class of what its files hold."""
    entries = {name: entry_of(hint) for name, hint in typing.get_type_hints(Config).items()}
    return {name: entry for name, entry in entries.items() if entry is not str}


def entry_of(hint: Any) -> type:
    """The class that mappings of names, perhaps of mappings, lead to."""
    entry: type = hint
    while get_origin(entry) is dict:
        entry = get_args(entry)[1]
    return entry


def schema_of(group: str, kind: type) -> Schema:
    """What a file of a group may say; of one that inherits from others by a defaults list, only they tell. What the
    entries of a list say is checked when they are read: until then they are not whole."""
    definitions: dict[str, Schema] = {}
    whole = reference(kind, definitions)
    return {
        "$schema": DRAFT,
        "title": f"config/{group}",
        "if": {"required": [EACH]},
        "then": {"properties": {EACH: LIST}},
        "else": {"if": {"required": ["defaults"]}, "else": whole},
        "definitions": definitions,
    }


def reference(kind: type, definitions: dict[str, Schema]) -> Schema:
    """A reference to the definition of a class, or of one of the kinds that may stand in its place."""
    if kind in KINDS:
        return defined(f"one-of-{name_of(kind)}", lambda: of_any(KINDS[kind], definitions), definitions)
    return itself(kind, definitions)


def defined(name: str, make: Callable[[], Schema], definitions: dict[str, Schema]) -> Schema:
    """A reference to a definition, which is added to those that were found where it is new."""
    if name not in definitions:
        definitions[name] = {}  # before what is below it, which may lead back here
        definitions[name] = make()
    return {"$ref": f"#/definitions/{name}"}


def name_of(kind: type) -> str:
    return f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"


def of_any(several: Sequence[Kinds], definitions: dict[str, Schema]) -> Schema:
    """Where a class has kinds of two sorts, what names one of either."""
    each = [one_of_kinds(one, definitions) for one in several]
    return each[0] if len(each) == 1 else {"anyOf": each}


def one_of_kinds(several: Kinds, definitions: dict[str, Schema]) -> Schema:
    """The definition of the class that a key names."""
    key, known = several.key, several.names()
    chosen = [
        {
            "if": {"properties": {key: {"const": name}}, "required": [] if name == several.default else [key]},
            "then": itself(several.options(name), definitions),
        }
        for name in known
    ]
    required = [] if several.default else [key]
    return {"type": "object", "required": required, "properties": {key: {"enum": known}}, "allOf": chosen}


def itself(kind: type, definitions: dict[str, Schema]) -> Schema:
    return defined(name_of(kind), lambda: record(kind, definitions), definitions)


def record(kind: type, definitions: dict[str, Schema]) -> Schema:
    hints = typing.get_type_hints(kind, include_extras=True)
    listed = keys(kind)
    properties = {key.name: described(value(hints[key.name], definitions), key.sentence, key.default) for key in listed}
    known = ((base, one) for base, several in KINDS.items() for one in several)
    defaulted = {one.key for base, one in known if one.default and issubclass(kind, base)}
    if kind in REST:
        properties |= REST[kind](definitions)
    doc = inspect.getdoc(kind) or ""
    whole: Schema = {
        "type": "object",
        "description": " ".join(doc.split()),
        "properties": properties,
        "required": [key.name for key in listed if not key.default and key.name not in defaulted],
        "additionalProperties": False,
    }
    if issubclass(kind, Pick) and "subsets" in properties:  # may be written as the bare list of its subsets
        return {"anyOf": [whole, properties["subsets"]]}
    return whole


def of_measures(definitions: dict[str, Schema]) -> dict[str, Schema]:
    """The options of all measures, which stand beside what every cell picks."""
    options = declared_options().items()
    return {name: either({one.key: one.hint for one in declared}, definitions) for name, declared in options}


def of_models(definitions: dict[str, Schema]) -> dict[str, Schema]:
    """The options of models on engines of all kinds: of which kind a model's engine is, only the engine's file says."""
    options: dict[str, dict[Key, Any]] = {}
    for model in (kinds.named(name).model for name in kinds.names()):
        for key in own_keys(model, Model):
            options.setdefault(key.name, {})[key] = hints_of(model)[key.name]
    return {name: either(declared, definitions) for name, declared in options.items()}


def either(declared: Mapping[Key, Any], definitions: dict[str, Schema]) -> Schema:
    """An option that is declared in several ways, each with its type."""
    schemas = [value(hint, definitions) for hint in dict.fromkeys(declared.values())]
    sentence = " Or: ".join(dict.fromkeys(key.sentence for key in declared))
    return described(schemas[0] if len(schemas) == 1 else {"anyOf": schemas}, sentence, "")


REST: Mapping[type, Callable[[dict[str, Schema]], dict[str, Schema]]] = {Pick: of_measures, Model: of_models}
"""What may stand beside the keys that a class declares."""


def described(schema: Schema, sentence: str, default: str) -> Schema:
    return {"description": f"{sentence} (default: {default})" if default else sentence, **schema}


def value(hint: Any, definitions: dict[str, Schema]) -> Schema:
    """What may stand in the place of a field, or a reference to it in another file."""
    schema = plain_value(hint, definitions)
    if hint in NAMED:
        schema = {"anyOf": [schema, PLAIN[str]]}
    return schema if schema.get("type") == "string" or not schema else {"anyOf": [schema, REFERENCE]}


def plain_value(hint: Any, definitions: dict[str, Schema]) -> Schema:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return {**plain_value(arguments[0], definitions), **constraint(arguments[1])}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {
            "anyOf": [{"type": "null"} if one is type(None) else plain_value(one, definitions) for one in arguments]
        }
    if origin in (list, tuple):
        return {"type": "array", "items": value(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": value(arguments[1], definitions)}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return reference(hint, definitions)
    return PLAIN[hint]


def constraint(rule: Range | Regular) -> Schema:
    if isinstance(rule, Regular):
        return {"format": "regex"}
    upper = {} if rule.most == math.inf else {"maximum": rule.most}
    return {"exclusiveMinimum" if rule.above else "minimum": rule.least, **upper}
