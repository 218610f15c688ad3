"""What models write, from the configuration and as plain data: for whom, in which steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plumbline.config import writing as config
from plumbline.config.typed import as_plain, without
from plumbline.config.whole import Config
from plumbline.records.registry import NotRegistered
from plumbline.writing.step import StepName, named, names


def options_of(whole: Config, name: str) -> config.Step:
    """The options of a step: those of its file in config/step/, or a registered step as it is."""
    asked = StepName.parse(name).asked
    if asked in whole.step:
        return whole.step[asked]
    if asked not in names():
        raise NotRegistered("step", asked, [*whole.step, *names()], f"step {name!r}")
    return config.Step(asked)


def settings_of(whole: Config, name: str, subsets: Sequence[str] = ()) -> dict[str, Any]:
    """What decides the texts of a step besides the model, as plain data."""
    options, wording = options_of(whole, name), StepName.parse(name).wording
    declared = without(as_plain(whole.prompts[wording]), "title", "source", "folder", "names")
    templates = {prompt: declared["templates"][prompt] for prompt in named(options.step).prompts}
    read = {parser: declared["parsers"][parser] for parser in parsers_of(whole, name)}
    prompts = {**declared, "templates": templates, "parsers": read}
    return {"options": as_plain(options), "prompts": prompts, "subsets": list(subsets)}


def parsers_of(whole: Config, name: str) -> list[str]:
    """The parsers that read what is written in a step."""
    templates = whole.prompts[StepName.parse(name).wording].templates
    return sorted({templates[prompt].parser for prompt in named(options_of(whole, name).step).prompts} - {""})


def kinds_of_parsers(whole: Config, name: str) -> list[str]:
    declared = whole.prompts[StepName.parse(name).wording].parsers
    return sorted({declared[parser].kind for parser in parsers_of(whole, name)})
