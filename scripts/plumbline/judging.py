"""A judge from its settings: a model, the protocols it is asked with, and its wording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline import schema
from plumbline.archive import SourceFiles
from plumbline.files import as_text, read_bytes
from plumbline.judge import Judge
from plumbline.prompts import PromptSet
from plumbline.protocols import How, how, wordings
from plumbline.typed import build


@dataclass(frozen=True)
class Judging:
    """A model, its engine's settings, its wording and the protocols it is asked with."""

    judge: Judge
    engine: schema.Engine
    hows: list[How]

    @classmethod
    def of(
        cls,
        settings: Mapping[str, Any],
        parsing: Mapping[str, Any],
        protocols: Mapping[str, Any],
        prompt_files: Sequence[Path],
    ) -> Judging:
        """`settings` decide what is asked, `parsing` how answers are read: they reach different rules."""
        model = build(schema.Model, settings["model"] | {"label": "", "parsers": parsing["exceptions"]}, "model")
        reading = {"parsers": parsing["parsers"], "names": parsing["names"]}
        prompts = build(schema.Prompts, settings["prompts"] | {"title": ""} | reading, "prompts")
        wording = PromptSet(model.prompts, prompts, reader(prompts, prompt_files))
        hows = [how(name, build(schema.Protocol, options, name)) for name, options in sorted(protocols.items())]
        for asking in hows:
            for step, variant in wordings(asking):  # so that a template that cannot be read costs no model's loading
                wording.turns(wording.template(step, variant, asking.rules))
        return cls(Judge(model, wording), build(schema.Engine, settings["engine"], "engine"), hows)


def reader(prompts: schema.Prompts, files: Sequence[Path]) -> Any:
    """How a prompt set's template files are read: from its source, or from the configuration."""
    if prompts.source:
        source = SourceFiles(files[0])
        return lambda name: source.text(f"{prompts.folder}/{name}")
    by_name = {path.name: path for path in files}
    return lambda name: as_text(read_bytes(by_name[Path(name).name]), str(by_name[Path(name).name]))
