"""The labelling configuration of a Label Studio project: what is shown, and a field for each answer."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from plumbline.config.benchmark import Question
from plumbline.people.label_studio.project import REMARK, SKIPPED, Control, Project, choices, letter

INSTRUCTION = "instruction"
PART = "plumbline-part"
HIDDEN = f".{PART}:has(> .lsf-object .lsf-richtext__line:empty:only-child) {{display: none}}"
"""Hides what a task leaves empty, with its fields. Where a Label Studio names its elements otherwise they are seen, and
what is answered there is left out."""


def configuration(project: Project) -> str:
    """The XML that Label Studio's page for a project's labelling interface takes."""
    view = Element("View")
    SubElement(view, "Style").text = HIDDEN
    _text(view, "Instruction", INSTRUCTION)
    for part in project.parts:
        _text(view, part.replace("_", " ").capitalize(), part_field(part))
    for place in range(project.outputs):
        _fields(_text(view, f"Answer {letter(place)}", output_field(place)), project, place)
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


def _text(parent: Element, title: str, name: str) -> Element:
    """A text under a title, and the place for what belongs to it."""
    part = SubElement(parent, "View", className=PART)
    SubElement(part, "Header", value=title, size="4")
    _as_it_is(part, name, name)
    return part


def _as_it_is(parent: Element, name: str, key: str) -> None:
    """A text, never taken for an address to be fetched."""
    SubElement(parent, "Text", name=name, value=f"${key}", valueType="text")


def _fields(parent: Element, project: Project, place: int | None) -> None:
    for control in project.controls.values():
        if control.place == place:
            question = project.questions[control.question]
            asked = SubElement(parent, "View", className=PART)
            if control.line is None:
                SubElement(asked, "Header", value=question.asked or control.question, size="5")
            else:
                _as_it_is(asked, shown_in(control), line_field(control.question, control.line))
            _field(asked, control, question)


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
