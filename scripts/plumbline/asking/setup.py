"""A judge from its settings: a model, the protocols it is asked with, and their wordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline.asking.judge import Judge
from plumbline.asking.parser import prompts_of
from plumbline.asking.prompts import PromptSet, has_template
from plumbline.asking.protocols import ProtocolOptions, protocol_of
from plumbline.asking.wording import wording_reader
from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.config.typed import build, without
from plumbline.models.kinds import settings_of


@dataclass(frozen=True)
class JudgeSetup:
    """A model with its wordings, its engine's settings and the protocols it is asked with."""

    judge: Judge
    engine: EngineSettings
    protocols: list[ProtocolOptions]

    @classmethod
    def of(cls, settings: Mapping[str, Any], parsing: Mapping[str, Any], prompt_sets: Sequence[Path]) -> JudgeSetup:
        """`settings` (judge, protocols, worded) decide what is asked, `parsing` how answers are read.

        Among `prompt_sets`, as `results/prompts/` keeps them, are the wordings that the protocols are asked in.
        """
        judge, protocols, worded = (settings[name] for name in ("judge", "protocols", "worded"))
        model = build(Model, judge["model"] | {"label": "", "parsers": parsing["exceptions"]}, "model")
        wordings = {}
        for name, templates in worded.items():
            prompts = prompts_of(_declared(templates, parsing["wordings"][name]), f"prompts.{name}")
            wordings[name] = PromptSet(name, prompts, wording_reader(name, prompt_sets))
        asked = [_options(name, options) for name, options in sorted(protocols.items())]
        for options in asked:
            for step in options.steps:  # a template that cannot be read costs no model's loading
                wording = wordings[options.wording]
                if step.required or has_template(wording.declared, step.name, step.variant, options.rules):
                    wording.turns(wording.template(step.name, step.variant, options.rules))
        return cls(Judge(model, wordings), settings_of(judge["engine"], "engine"), asked)


def _options(name: str, options: Mapping[str, Any]) -> ProtocolOptions:
    return ProtocolOptions(name, protocol_of(without(options, "subsets"), name), tuple(options.get("subsets", ())))


def _declared(asked: Mapping[str, Any], read: Mapping[str, Any]) -> dict[str, Any]:
    """A wording put together again from what decides what is asked and how answers are read."""
    templates = {name: template | {"parser": read["read_by"][name]} for name, template in asked["templates"].items()}
    return {**asked, **without(read, "read_by"), "title": "", "templates": templates}
