"""What people answered in Label Studio, as lines of journals in stored order; what cannot be kept is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plumbline.config.benchmark import Question
from plumbline.data.collected import task_digest
from plumbline.data.instances import Instance, content_id
from plumbline.data.rated import answer_in
from plumbline.people.imported import EDITED, GONE, Imported
from plumbline.people.label_studio.exported import Annotation, annotations_in
from plumbline.people.label_studio.form import INSTRUCTION, line_field, output_field, part_field
from plumbline.people.label_studio.project import REMARK, SKIPPED, Control, Project, choices, turned
from plumbline.people.label_studio.tasks import SUGGESTED, texts_of
from plumbline.people.lines import Answer, ItemLabels
from plumbline.records.errors import PlumblineError, nearest
from plumbline.records.files import read_json

NO_REASON = "skipped in Label Studio"
EMPTY, REPLACED = "in a field that the task leaves empty", "replaced by a later annotation"


def from_label_studio(files: Iterable[Path], project: Project) -> Imported:
    """All annotations of some exports of one project; of one rater's on one task the last counts."""
    last: dict[tuple[str, str], Annotation] = {}
    left_out: Counter[str] = Counter()
    for file in files:
        for one in annotations_in(read_json(file), project, str(file)):
            _check_origin(one, project)
            key = one.rater, str(one.data["instance"])
            before = last.get(key, one)
            earlier, last[key] = sorted((before, one), key=lambda annotation: annotation.stamp)
            if earlier != last[key]:
                left_out[REPLACED] += len(earlier.said)
    lines = [_Reader(one, project, left_out).line() for one in last.values()]
    return Imported([line for line in lines if line is not None], left_out)


def _check_origin(one: Annotation, project: Project) -> None:
    for name, expected in (("benchmark", project.benchmark), ("arm", project.arm)):
        if one.data.get(name) != expected:
            raise PlumblineError(
                f"a task is of another {name}",
                where=one.where,
                expected=expected or "none",
                found=repr(one.data.get(name)),
                do="read the exports of each project apart" if name == "arm" else "name the benchmark it is of",
            )
    if not isinstance(one.data.get("instance"), str):
        raise PlumblineError(
            "a task names no instance", where=one.where, expected="instance: an id, as it was exported from here"
        )


@dataclass
class _Reader:
    """One annotation on its way into a line."""

    one: Annotation
    project: Project
    left_out: Counter[str]

    def line(self) -> ItemLabels | None:
        one, instance = self.one, self.project.by_id.get(self.one.data["instance"])
        said = {name: value for name, value in one.said.items() if name not in (SKIPPED, REMARK)}
        if instance is None:
            self.left_out[GONE] += len(said)
            return None
        reason, remark = _text(one.said.get(SKIPPED)), _text(one.said.get(REMARK))
        task, arm = task_digest(instance), self.project.arm
        looked = bool(one.data.get(SUGGESTED))
        line = ItemLabels(instance.id, one.rater, instance.key, task, arm, remark=remark, looked=looked)
        if one.cancelled:
            return replace(line, skipped=reason or NO_REASON)
        answers = self._answers(instance, said)
        if said and not answers:
            return None
        if not answers:
            return replace(line, skipped=reason)
        return replace(line, answers=answers, remark="\n".join(filter(None, (reason, remark))))

    def _answers(self, instance: Instance, said: Mapping[str, Any]) -> list[Answer]:
        """In the order of the form."""
        for name in said.keys() - self.project.controls.keys():
            self._check_known(name)
            self.left_out[EMPTY] += 1
        order = self._order(instance)
        texts = texts_of(self.project, instance, order)
        edited = {name for name, text in texts.items() if self.one.data.get(name) != text}
        answers = []
        for name, control in self.project.controls.items():
            if name in said:
                lost = self._lost(control, instance, edited)
                if lost:
                    self.left_out[lost] += 1
                else:
                    answers.append(self._answer(control, instance, order, said[name]))
        return answers

    def _check_known(self, name: str) -> None:
        """A field of a longer checklist, or of more outputs, than any instance has today asks what is asked today."""
        fields = self.project.controls
        if name.partition("__")[0] not in {field.partition("__")[0] for field in fields}:
            raise PlumblineError(
                f"the benchmark asks nothing that is called {name!r}", where=self.one.where, do=nearest(name, fields)
            )

    def _order(self, instance: Instance) -> list[int]:
        """As the task was shown, whatever the settings say now."""
        shown = self.one.data.get("order")
        places = list(range(1, len(instance.outputs) + 1))
        if not isinstance(shown, list) or sorted(map(str, shown)) != sorted(map(str, places)):
            raise PlumblineError(
                "a task does not say in which order its outputs were shown",
                where=self.one.where,
                expected=f"order: {places}, in any order",
                found=repr(shown),
            )
        return [int(place) - 1 for place in shown]

    def _lost(self, control: Control, instance: Instance, edited: set[str]) -> str:
        """Why an answer cannot be kept, if so."""
        if control.place is not None and control.place >= len(instance.outputs):
            return EMPTY
        if control.line is not None and control.line >= len(instance.context.get(control.question, ())):
            return EMPTY
        return EDITED if self._read_for(control) & edited else ""

    def _read_for(self, control: Control) -> set[str]:
        """The texts that an answer is about."""
        outputs = {output_field(place) for place in range(self.project.outputs)}
        own = {output_field(control.place)} if control.place is not None else outputs
        line = {line_field(control.question, control.line)} if control.line is not None else set()
        return {INSTRUCTION, *map(part_field, self.project.parts), *own, *line}

    def _answer(self, control: Control, instance: Instance, order: list[int], entered: Any) -> Answer:
        question = self.project.questions[control.question]
        word, value = self._said(control, question, entered)
        name = instance.context[control.question][control.line] if control.line is not None else control.question
        answer = Answer(name, word=word, value=value)
        if control.kind == "pair":
            return turned(answer, question, order)
        if control.place is None:
            return answer
        stored = order[control.place]
        return replace(answer, about=stored, output=content_id(instance.outputs[stored].text))

    def _said(self, control: Control, question: Question, entered: Any) -> tuple[str, float | None]:
        """A word or a number of the question; what stands on the button is taken for what it stands for."""
        one = entered[0] if isinstance(entered, list) and len(entered) == 1 else entered
        one = one.get("number") if isinstance(one, Mapping) else one
        written = {shown: answer for answer, shown in choices(control.kind, question).items()}
        one = written.get(one, one) if isinstance(one, str) else one
        return answer_in(question, control.question, {"word": one, "value": one}, f"{self.one.where}, {control.name}")


def _text(entered: Any) -> str:
    """What was written, however an export holds it."""
    if isinstance(entered, Mapping):
        entered = entered.get("text")
    return "\n".join(map(str, entered)) if isinstance(entered, list) else str(entered or "")
