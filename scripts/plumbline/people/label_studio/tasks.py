"""The tasks of a Label Studio project: an instance each, its outputs under letters, in an order of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.data.collected import task_digest
from plumbline.data.instances import Instance
from plumbline.people.label_studio.form import INSTRUCTION, line_field, output_field, part_field, shown_in
from plumbline.people.label_studio.project import Control, Project, choices, turned
from plumbline.people.lines import Answer
from plumbline.records.files import digest_value

SEPARATOR = "\n\n"
"""Between the texts of one part of the context."""
SUGGESTED = "suggested"
"""Marks a task that came with a judge's suggestions: Label Studio may show them unasked, and does not say whom."""
NOTHING = "–"
"""What is shown of an output without a word; what a task lacks is empty and is not shown."""


def tasks(project: Project, suggestions: Mapping[str, Sequence[Answer]], judge: str) -> list[dict[str, Any]]:
    """All tasks as Label Studio imports them, with what a judge suggests, by the instance's id."""
    return [task(project, instance, suggestions.get(instance.id, ()), judge) for instance in project.instances]


def task(project: Project, instance: Instance, suggested: Sequence[Answer], judge: str) -> dict[str, Any]:
    made: dict[str, Any] = {"data": data_of(project, instance)}
    if suggested:
        made["data"][SUGGESTED] = True
        made["predictions"] = [{"model_version": judge, "result": results(project, instance, suggested)}]
    return made


def data_of(project: Project, instance: Instance) -> dict[str, Any]:
    """Every text of a task, and what leads its answers back to the instance; what it lacks is empty."""
    order = project.order(instance)
    ids = {
        "benchmark": project.benchmark,
        "arm": project.arm,
        "instance": instance.id,
        "key": instance.key,
        "task": task_digest(instance),
        "order": [stored + 1 for stored in order],
    }
    return ids | texts_of(project, instance, order)


def texts_of(project: Project, instance: Instance, order: Sequence[int]) -> dict[str, str]:
    """What a rater reads with the outputs in some order, by the names that the form has for it."""
    texts = {INSTRUCTION: instance.instruction or NOTHING}
    for part in project.parts:
        texts[part_field(part)] = SEPARATOR.join(instance.context.get(part, ()))
    shown = [instance.outputs[stored].text or NOTHING for stored in order]
    texts |= {output_field(place): text for place, text in enumerate(_filled(shown, project.outputs))}
    for checklist, most in project.lines.items():
        asked = instance.context.get(checklist, ())
        texts |= {line_field(checklist, line): text for line, text in enumerate(_filled(asked, most))}
    return texts


def _filled(texts: Sequence[str], length: int) -> list[str]:
    return [*texts, *[""] * (length - len(texts))]


def results(project: Project, instance: Instance, answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """Answers in stored order, as Label Studio keeps them in the order that its raters see."""
    order = project.order(instance)
    by_control = ((_control_of(project, instance, answer, order), answer) for answer in answers)
    return [_result(project, instance, control, answer, order) for control, answer in by_control if control is not None]


def _result(
    project: Project, instance: Instance, control: Control, answer: Answer, order: Sequence[int]
) -> dict[str, Any]:
    question = project.questions[control.question]
    shown = turned(answer, question, order) if control.kind == "pair" else answer
    buttons = bool(choices(control.kind, question))
    return {
        "id": digest_value([instance.id, control.name])[:10],
        "from_name": control.name,
        "to_name": shown_in(control),
        "type": "choices" if buttons else "number",
        "value": {"choices": [shown.word or f"{shown.value:g}"]} if buttons else {"number": shown.value},
    }


def _control_of(project: Project, instance: Instance, answer: Answer, order: Sequence[int]) -> Control | None:
    """The field that an answer belongs into; none where nobody is asked this."""
    place = None if answer.about is None else order.index(answer.about)
    for control in project.controls.values():
        asked = instance.context.get(control.question, ()) if control.line is not None else (control.question,)
        if control.place == place and asked[control.line or 0 :][:1] == (answer.question,):
            return control
    return None
