"""The labelling configuration of a Label Studio project: what is shown, and a field for each answer."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from plumbline.config.benchmark import Question
from plumbline.people.label_studio.project import REMARK, SKIPPED, Control, Project, choices, letter

INSTRUCTION = "instruction"
TEXT, ANSWERS = "plumbline-text", "plumbline-answers"
EMPTY = f".{TEXT}:has(.lsf-richtext__line:empty:only-child)"
ASKED = f".{ANSWERS} .{TEXT} {{font-weight: 600; margin-top: 12px}}"
HIDDEN = f"{EMPTY}, {EMPTY} + .{ANSWERS} {{display: none}}"
"""Hides what a task leaves empty, with its fields. Where a Label Studio names its elements otherwise they are seen, and
what is answered there is left out."""


def configuration(project: Project) -> str:
    """The XML that Label Studio's page for a project's labelling interface takes."""
    view = Element("View")
    SubElement(view, "Style").text = f"{ASKED} {HIDDEN}"
    _text(view, INSTRUCTION, INSTRUCTION, "Instruction")
    for part in project.parts:
        _text(view, part_field(part), part_field(part), part.replace("_", " ").capitalize())
    for place in range(project.outputs):
        name = output_field(place)
        _fields(_text(view, name, name, f"Answer {letter(place)}"), project, place)
    _fields(view, project, None)
    _written(view, SKIPPED, "If you answer nothing here: why?")
    _written(view, REMARK, "Anything else?")
    indent(view)
    return tostring(view, encoding="unicode") + "\n"


def shown_in(control: Control) -> str:
    """The text that a field belongs to."""
    if control.line is not None:
        return f"{control.name}__asked"
    return INSTRUCTION if control.place is None else output_field(control.place)


def output_field(place: int) -> str:
    """Where a task keeps the output that is shown at a place."""
    return f"output_{letter(place)}"


def part_field(part: str) -> str:
    """Where a task keeps a part of the context."""
    return f"context_{part}"


def line_field(checklist: str, line: int) -> str:
    """Where a task keeps a question of its checklist."""
    return f"{checklist}_{line + 1}"


def _text(parent: Element, name: str, key: str, title: str = "") -> Element:
    """A text as it is, never taken for an address to be fetched; and the place for what is asked about it."""
    text = SubElement(parent, "View", className=TEXT)
    if title:
        SubElement(text, "Header", value=title, size="4")
    SubElement(text, "Text", name=name, value=f"${key}", valueType="text")
    return SubElement(parent, "View", className=ANSWERS)


def _fields(parent: Element, project: Project, place: int | None) -> None:
    for control in project.controls.values():
        if control.place == place:
            question, answers = project.questions[control.question], parent
            if control.line is None:
                SubElement(parent, "Header", value=question.asked or control.question, size="5")
            else:
                answers = _text(parent, shown_in(control), line_field(control.question, control.line))
            _field(answers, control, question)


def _field(parent: Element, control: Control, question: Question) -> None:
    buttons = choices(control.kind, question)
    belongs = {"name": control.name, "toName": shown_in(control)}
    if not buttons:
        bounds = {"min": f"{question.low:g}", "max": f"{question.high:g}"}
        SubElement(parent, "Number", belongs | bounds)
        return
    field = SubElement(parent, "Choices", belongs | {"choice": "single", "showInline": "true"})
    for answer, written in buttons.items():
        SubElement(field, "Choice", {"value": written} | ({"alias": answer} if answer != written else {}))


def _written(parent: Element, name: str, title: str) -> None:
    SubElement(parent, "Header", value=title, size="5")
    SubElement(parent, "TextArea", name=name, toName=INSTRUCTION, maxSubmissions="1", editable="true", rows="2")
