"""What models write, from the configuration and as plain data: for whom, in which steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plumbline.config import writing as config
from plumbline.config.benchmark import Benchmark
from plumbline.config.typed import as_plain, known, without
from plumbline.config.whole import Config
from plumbline.writing.derived import Use
from plumbline.writing.step import StepName, named, names


def options_of(whole: Config, name: str) -> config.Step:
    """The options of a step: those of its file in config/step/, or a registered step as it is."""
    asked = StepName.parse(name).asked
    if asked in whole.step:
        return whole.step[asked]
    known(asked, dict.fromkeys([*whole.step, *names()]), f"step {name!r}")
    return config.Step(asked)


def settings_of(whole: Config, name: str, subsets: Sequence[str] = ()) -> dict[str, Any]:
    """What decides the texts of a step besides the model, as plain data."""
    options, wording = options_of(whole, name), StepName.parse(name).wording
    declared = without(as_plain(whole.prompts[wording]), "title", "source", "folder", "names")
    wanted = named(options.step).prompts
    templates = {prompt: declared["templates"][prompt] for prompt in wanted}
    used = sorted({template["parser"] for template in templates.values()} - {""})
    read = {parser: declared["parsers"][parser] for parser in used}
    prompts = {**declared, "templates": templates, "parsers": read}
    return {"options": as_plain(options), "prompts": prompts, "subsets": list(subsets)}


def uses_of(whole: Config, benchmark: Benchmark) -> list[Use]:
    """What a derived benchmark takes from models."""
    found = []
    for name, text in benchmark.written.items():
        asked = StepName.parse(text.step or name)
        becomes = text.becomes or named(options_of(whole, str(asked)).step).becomes
        found.append(Use(name, text.model, str(asked), text.sample, becomes))
    return found
