"""A writer from its settings: a model, and the steps that it is asked for in their wordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline.asking.parser import prompts_of
from plumbline.asking.prompts import PromptSet
from plumbline.asking.wording import wording_reader
from plumbline.config import writing as config
from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.config.typed import build
from plumbline.models.kinds import settings_of
from plumbline.writing.asking import StepOptions
from plumbline.writing.step import StepName, named


@dataclass(frozen=True)
class WritingSetup:
    """What is asked for, and of whom."""

    model: Model
    engine: EngineSettings
    steps: list[StepOptions]

    @classmethod
    def of(cls, judge: Mapping[str, Any], steps: Mapping[str, Any], files: Sequence[Path]) -> WritingSetup:
        """`files` are the wordings, as `results/prompts/` keeps them."""
        model = build(Model, judge["model"] | {"label": ""}, "model")
        engine = settings_of(judge["engine"], "engine")
        return cls(model, engine, [_options(name, settings, files) for name, settings in steps.items()])


def _options(name: str, settings: Mapping[str, Any], files: Sequence[Path]) -> StepOptions:
    options, wording = build(config.Step, settings["options"], name), StepName.parse(name).wording
    prompts = prompts_of(settings["prompts"] | {"title": ""}, f"prompts.{wording}")
    templates = PromptSet(wording, prompts, wording_reader(wording, files))
    step = named(options.step)
    for prompt in step.prompts:  # a template that cannot be read costs no model's loading
        templates.turns(templates.template(prompt, "", rules=False))
    return StepOptions(name, step, options, templates, tuple(settings["subsets"]))
