"""Projects for Label Studio, and what its raters said, read back in stored order."""

from __future__ import annotations

import copy
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import label_projects
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.config.benchmark import Question
from plumbline.data.collected import task_digest
from plumbline.data.instances import Instance, Output, content_id
from plumbline.people.imported import EDITED, GONE, Imported, new_lines
from plumbline.people.label_studio.annotations import EMPTY, NO_REASON, REPLACED, from_label_studio
from plumbline.people.label_studio.form import configuration
from plumbline.people.label_studio.project import Project, letter
from plumbline.people.label_studio.tasks import results, tasks
from plumbline.people.label_studio.written import to_label_studio
from plumbline.people.lines import Answer, ItemLabels
from plumbline.records.errors import PlumblineError

OURS = label_projects.project()
FIRST, SECOND, _ = OURS.instances
FIXTURES = Path(__file__).parents[2] / "label_studio"
VERSION = "1.23.2"


def export(project: Project, raters: int = 2) -> list[dict[str, Any]]:
    """What Label Studio exports when each rater has answered everything."""
    return [
        {
            "id": number,
            "data": task["data"],
            "annotations": [said(project, instance, rater) for rater in range(1, raters + 1)],
        }
        for number, (task, instance) in enumerate(zip(tasks(project, {}, ""), project.instances, strict=True), start=1)
    ]


def said(project: Project, instance: Instance, rater: int) -> dict[str, Any]:
    answers = label_projects.answers(project, instance, str(rater))
    return {
        "id": rater,
        "completed_by": rater,
        "was_cancelled": False,
        "updated_at": "2026-01-01T00:00:00Z",
        "result": results(project, instance, answers),
    }


def read(rows: Any, folder: Path, project: Project = OURS) -> Imported:
    file = folder / "export.json"
    file.write_text(json.dumps(rows))
    return from_label_studio([file], project)


def answers_in(rows: Imported, item: Instance, rater: int = 1) -> list[Answer]:
    return next(line.answers for line in rows.lines if (line.item, line.rater) == (item.id, f"label-studio-{rater}"))


def test_what_is_answered_in_any_order_comes_back_in_stored_order(tmp_path: Path) -> None:
    orders = {tuple(OURS.order(instance)) for instance in OURS.instances}
    assert orders == {(0, 1), (1, 0)}, "the items are to be shown in both orders"
    read_back = read(export(OURS), tmp_path)
    assert not +read_back.left_out
    assert {(line.item, line.rater): line.answers for line in read_back.lines} == {
        (one.id, f"label-studio-{rater}"): label_projects.answers(OURS, one, str(rater))
        for one in OURS.instances
        for rater in (1, 2)
    }
    line = read_back.lines[0]
    assert (line.key, line.task) == (FIRST.key, task_digest(FIRST))


@pytest.mark.parametrize("kind", ["json", "json_min"])
def test_what_a_real_label_studio_exported_is_what_was_answered_there(kind: str) -> None:
    """Written by Label Studio 1.23.2 on `tests/label_studio/server.py`; JSON_MIN says nothing of what was skipped."""
    read_back = from_label_studio([FIXTURES / f"{kind}_{VERSION}.json"], OURS)
    by_both = {(line.key, line.rater[-1]): line for line in read_back.lines}
    skipped = by_both.pop(("k2", "2"), None)
    assert (skipped is None) == (kind == "json_min")
    assert skipped is None or skipped.skipped == NO_REASON
    for (key, rater), line in by_both.items():
        (instance,) = (one for one in OURS.instances if one.key == key)
        assert line.answers == label_projects.answers(OURS, instance, rater)
    assert len(by_both) == 5 and not +read_back.left_out


def test_a_task_tells_no_system(tmp_path: Path) -> None:
    to_label_studio(tmp_path, OURS, "# Read this")
    words = {word for path in tmp_path.iterdir() for word in path.read_text().replace('"', " ").split()}
    assert not words & {"one", "two"}
    assert (tmp_path / "instructions.md").read_text() == "# Read this"


def test_the_form_has_fields_for_the_longest_checklist_and_shorter_ones_leave_them_empty() -> None:
    names = [field.get("name") for field in ElementTree.fromstring(configuration(OURS)).iter("Choices")]
    assert {"checklist__A1", "checklist__A2", "checklist__B1", "checklist__B2"} <= set(names)
    second = tasks(OURS, {}, "")[1]["data"]
    assert (second["checklist_1"], second["checklist_2"], second["context_document"]) == ("Does it rhyme?", "", "")


def test_an_output_without_a_word_is_shown_as_such() -> None:
    """What is empty is hidden."""
    third = tasks(OURS, {}, "")[2]["data"]
    assert {third["output_A"], third["output_B"]} == {"–", "Nothing."}


def test_an_edited_output_loses_its_answers_and_those_of_the_pair(tmp_path: Path) -> None:
    rows = export(OURS, raters=1)
    shown = letter(OURS.order(FIRST).index(1))
    rows[0]["data"][f"output_{shown}"] = "Somebody mended this."
    read_back = read(rows, tmp_path)
    kept = [one for one in answers_in(read_back, FIRST)]
    assert {one.about for one in kept} == {0}
    whole = label_projects.answers(OURS, FIRST, "1")
    assert read_back.left_out[EDITED] == len(whole) - len(kept) == 5 + 3
    assert f"8 left out: {EDITED}" in read_back.counts


@pytest.mark.parametrize("text", ["instruction", "context_document"])
def test_an_edited_instruction_or_document_loses_all_answers(text: str, tmp_path: Path) -> None:
    rows = export(OURS, raters=1)
    rows[0]["data"][text] += "!"
    read_back = read(rows, tmp_path)
    assert FIRST.id not in {line.item for line in read_back.lines}
    assert read_back.left_out[EDITED] == len(label_projects.answers(OURS, FIRST, "1"))


def test_an_edited_question_of_a_checklist_loses_its_answers_only(tmp_path: Path) -> None:
    rows = export(OURS, raters=1)
    rows[0]["data"]["checklist_2"] = "Is it c?"
    read_back = read(rows, tmp_path)
    assert read_back.left_out == {EDITED: 2}
    assert "b?" not in {one.question for one in answers_in(read_back, FIRST)}


def test_what_is_about_an_instance_that_is_gone_is_counted(tmp_path: Path) -> None:
    fewer = replace(OURS, instances=OURS.instances[1:])
    read_back = read(export(OURS, raters=1), tmp_path, fewer)
    assert read_back.left_out == {GONE: len(label_projects.answers(OURS, FIRST, "1"))}


def test_an_answer_in_a_field_that_the_task_leaves_empty_is_counted(tmp_path: Path) -> None:
    rows = export(OURS, raters=1)
    field = {"from_name": "checklist__A2", "to_name": "checklist__A2__asked", "type": "choices"}
    rows[1]["annotations"][0]["result"].append(field | {"value": {"choices": ["yes"]}})
    read_back = read(rows, tmp_path)
    assert read_back.left_out == {EMPTY: 1}
    assert answers_in(read_back, SECOND) == label_projects.answers(OURS, SECOND, "1")


def test_the_order_is_the_one_that_was_shown_whatever_the_seed_says_now(tmp_path: Path) -> None:
    for seed in range(8):
        assert read(export(OURS, 1), tmp_path, replace(OURS, seed=seed)).lines == read(export(OURS, 1), tmp_path).lines


def test_of_two_annotations_by_one_rater_the_later_counts(tmp_path: Path) -> None:
    rows = export(OURS, raters=1)
    later = said(OURS, FIRST, 2) | {"completed_by": {"id": 1, "email": "a@example.org"}, "updated_at": "2026-02-01"}
    rows[0]["annotations"].insert(0, later)
    read_back = read(rows, tmp_path)
    assert answers_in(read_back, FIRST) == label_projects.answers(OURS, FIRST, "2")
    assert read_back.left_out == {REPLACED: len(label_projects.answers(OURS, FIRST, "1"))}


def test_what_is_skipped_keeps_its_reason_and_no_answers(tmp_path: Path) -> None:
    rows = export(OURS, raters=1)
    why = {"from_name": "skipped", "to_name": "instruction", "type": "textarea", "value": {"text": ["no idea"]}}
    first, second, third = (row["annotations"][0] for row in rows)
    first |= {"was_cancelled": True}
    second |= {"result": [why]}
    third["result"] += [why, why | {"from_name": "remark", "value": {"text": ["odd", "very"]}}]
    lines = read(rows, tmp_path).lines
    assert [line.skipped for line in lines] == [NO_REASON, "no idea", ""]
    assert [bool(line.answers) for line in lines] == [False, False, True]
    assert lines[2].remark == "no idea\nodd\nvery"


def test_a_button_is_taken_for_its_answer_by_what_is_written_on_it_too(tmp_path: Path) -> None:
    rows = export(OURS, raters=1)
    for result in rows[0]["annotations"][0]["result"]:
        if result["from_name"] == "strength":
            result["value"] = {"choices": ["3: nearly identical"]}
    assert Answer("strength", value=3.0) in answers_in(read(rows, tmp_path), FIRST)


def test_whoever_labels_a_task_with_suggestions_may_have_seen_them(tmp_path: Path) -> None:
    rows = export(OURS, raters=1)
    suggested = {FIRST.id: label_projects.answers(OURS, FIRST, "judge")}
    rows[0]["data"] = tasks(OURS, suggested, "a judge")[0]["data"]
    assert [line.looked for line in read(rows, tmp_path).lines] == [True, False, False]


def broken(rows: list[dict[str, Any]], **changes: Any) -> list[dict[str, Any]]:
    """With one result of the second task changed."""
    result = next(one for one in rows[1]["annotations"][0]["result"] if one["from_name"] == "correctness__A")
    result |= changes
    return rows


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda rows: broken(rows, value={"number": 101}), "off the scale of 'correctness'"),
        (lambda rows: broken(rows, value={"number": "many"}), "off the scale of 'correctness'"),
        (lambda rows: broken(rows, from_name="corectness__A"), "did you mean 'correctness__A'?"),
        (lambda rows: broken(rows, value=None), "no field or no value"),
        (lambda rows: rows[1]["annotations"][0].pop("completed_by") and rows, "names no rater"),
        (lambda rows: rows[1]["data"].pop("order") and rows, "in which order its outputs were shown"),
        (lambda rows: rows[1]["data"].update(benchmark="theirs") or rows, "of another benchmark"),
        (lambda rows: rows[1]["data"].update(arm="other") or rows, "of another arm"),
        (lambda rows: rows[1]["data"].pop("instance") and rows, "names no instance"),
        (lambda rows: rows[1].pop("annotations") and rows, "has no annotations"),
    ],
)
def test_what_cannot_be_read_is_refused_by_file_and_task(spoil: Any, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(PlumblineError) as refused:
        read(spoil(copy.deepcopy(export(OURS, raters=1))), tmp_path)
    assert complaint in str(refused.value)
    assert "export.json, task 2" in str(refused.value)


def test_what_is_no_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match="list of tasks"):
        read({"id": 1}, tmp_path)


def test_words_that_cannot_be_turned_back_are_refused() -> None:
    question = Question(words=["left", "right"], about="pair")
    with pytest.raises(PlumblineError, match="cannot be turned back"):
        Project("ours", "", {"side": question}, OURS.instances, [], 1)


def test_a_pair_of_three_is_refused() -> None:
    three = replace(FIRST, outputs=(*FIRST.outputs, Output("three", "Third.")))
    with pytest.raises(PlumblineError, match="has 3 outputs"):
        Project("ours", "", {"better": label_projects.QUESTIONS["better"]}, [three], [], 1)


def test_questions_whose_fields_would_be_called_the_same_are_refused() -> None:
    alike = {"a b": Question(words=["x"]), "a-b": Question(words=["x"])}
    with pytest.raises(PlumblineError, match="two fields"):
        configuration(Project("ours", "", alike, OURS.instances, [], 1))


WORDS = st.sampled_from(["first", "second", "tie"])


@given(st.data())
def test_any_answers_come_back_as_they_were(data: st.DataObject) -> None:
    """Through the form and back, whatever was answered and left out, in either order."""
    answers = data.draw(st.lists(st.sampled_from(label_projects.answers(OURS, FIRST, "x")), unique_by=str))
    changed = [
        replace(one, word=data.draw(st.sampled_from(question.words)))
        if (question := label_projects.QUESTIONS.get(one.question)) and question.words
        else one
        for one in answers
    ]
    project = replace(OURS, seed=data.draw(st.integers(0, 50)))
    row = tasks(project, {}, "")[0] | {"id": 1}
    row["annotations"] = [{"id": 1, "completed_by": 1, "result": results(project, FIRST, changed)}]
    with tempfile.TemporaryDirectory() as folder:
        lines = read([row], Path(folder), project).lines
    assert sorted(lines[0].answers, key=str) == sorted(changed, key=str)


def test_what_is_read_twice_is_nothing_new(tmp_path: Path) -> None:
    lines = read(export(OURS, raters=1), tmp_path).lines
    assert new_lines([], lines) == lines
    assert new_lines(lines, lines) == []


def test_what_was_changed_since_is_a_new_line_and_nothing_else_is(tmp_path: Path) -> None:
    before = read(export(OURS, raters=1), tmp_path).lines
    rows = export(OURS, raters=1)
    rows[1]["annotations"][0]["result"] = []
    taken_back = ItemLabels(SECOND.id, "label-studio-1", SECOND.key, task_digest(SECOND))
    after = read(rows, tmp_path).lines
    assert new_lines(before, after) == [taken_back]
    assert new_lines([], [taken_back]) == []
    assert content_id(FIRST.outputs[0].text) in {one.output for one in before[0].answers}
