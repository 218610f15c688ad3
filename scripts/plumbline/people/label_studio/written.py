"""The folder of a Label Studio project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from plumbline.people.label_studio.form import configuration
from plumbline.people.label_studio.project import Project
from plumbline.people.label_studio.tasks import tasks
from plumbline.people.lines import Answer
from plumbline.records.files import write_json, write_text


def to_label_studio(
    folder: Path,
    project: Project,
    guidelines: str = "",
    suggestions: Mapping[str, Sequence[Answer]] | None = None,
    judge: str = "",
) -> list[Path]:
    """The form (`config.xml`), the tasks (`tasks.json`) and, where there are guidelines, `instructions.md`. A judge's
    suggestions are given by the instance's id."""
    config, items, instructions = folder / "config.xml", folder / "tasks.json", folder / "instructions.md"
    write_text(config, configuration(project))
    write_json(items, tasks(project, suggestions or {}, judge))
    if not guidelines:
        return [config, items]
    write_text(instructions, guidelines)
    return [config, items, instructions]
