"""Label Studio's own SDK reads what is written for it, and what it makes up is read back. Needs `make label-studio`."""

import json
import subprocess
from pathlib import Path
from typing import Any

import label_projects
import pytest
from plumbline.people.label_studio.annotations import from_label_studio
from plumbline.people.label_studio.project import Project
from plumbline.people.label_studio.written import to_label_studio

ROOT = Path(__file__).parents[2]
SDK = ROOT / ".venv-label-studio/bin/python"
KINDS = [*([name] for name in label_projects.QUESTIONS), [*label_projects.QUESTIONS]]


def complaints(folder: Path) -> list[str]:
    command = [str(SDK), str(Path(__file__).with_name("validate.py")), str(folder)]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    return list(json.loads(said.stdout))


def with_suggestions(project: Project, folder: Path) -> None:
    suggested = {one.id: label_projects.answers(project, one, "judge") for one in project.instances}
    to_label_studio(folder, project, "# Read this", suggested, "a judge")


@pytest.mark.parametrize("names", KINDS, ids=", ".join)
def test_the_sdk_finds_nothing_wrong_with_form_tasks_and_suggestions(names: list[str], tmp_path: Path) -> None:
    with_suggestions(label_projects.project(*names), tmp_path)
    assert complaints(tmp_path) == []


def test_the_sdk_finds_what_is_wrong(tmp_path: Path) -> None:
    """Else the test above could not fail."""
    with_suggestions(label_projects.project(), tmp_path)
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    del tasks[0]["data"]["output_A"]
    tasks[1]["predictions"][0]["result"][0]["value"] = {"choices": ["neither"]}
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    first, second = complaints(tmp_path)
    assert first == "task 1" and "neither" in second


def test_annotations_that_the_sdk_makes_up_are_read_back(tmp_path: Path) -> None:
    project = label_projects.project()
    with_suggestions(project, tmp_path)
    assert complaints(tmp_path) == []
    tasks, made_up = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("tasks", "samples"))
    assert all(made_up)
    export = [exported(number, task, made_up) for number, task in enumerate(tasks, start=1)]
    (tmp_path / "export.json").write_text(json.dumps(export))
    read = from_label_studio([tmp_path / "export.json"], project)
    assert len(read.lines) == len(tasks) * len(made_up)
    assert set(read.left_out) <= {"in a field that the task leaves empty", "replaced by a later annotation"}
    fields = sum(len(project.controls) for _ in read.lines)
    assert sum(len(line.answers) for line in read.lines) == fields - sum(read.left_out.values())


def exported(number: int, task: dict[str, Any], made_up: list[dict[str, Any]]) -> dict[str, Any]:
    """A task as it comes back when each made-up annotation is another rater's."""
    annotations = [one | {"id": rater, "completed_by": rater} for rater, one in enumerate(made_up, start=1)]
    return {"id": number, "data": task["data"], "annotations": annotations}
