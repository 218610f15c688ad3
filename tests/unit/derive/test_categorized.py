"""Questions of a checklist as instances of their own, and the categories that a judge gives them back beside each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from deriving_here import derive, instance, labels_of, made, reasons, stored
from plumbline.data.instances import CATEGORIES, CHECKLIST, TASK, Instance, categories_of
from plumbline.data.labels import Label
from plumbline.data.loaded import Accounted
from plumbline.data.verdicts import NOTHING, Outcome, Verdict
from plumbline.derive.derivations.categorized import Categorized
from plumbline.derive.derivations.each_question import EachQuestion
from plumbline.derive.given import ById
from plumbline.records.errors import PlumblineError

KNOWN = ("Length", "Tone")


def listed(instruction: str, *questions: str) -> Instance:
    about = instance(instruction, "An answer.")
    return replace(about, context={CHECKLIST: questions, "document": ("A story.",)})


SONG, POEM, BARE = stored(
    listed("Write a song.", "Is it short?", "Is it kind?", "Is it short?"),
    listed("Write a poem.", "Is it short?", "Is it true?"),
    listed("Write."),
)


def each_question(*about: Instance) -> list[Accounted]:
    return derive(EachQuestion(derive="each_question", of="b", categories=list(KNOWN)), about)


def test_each_question_of_a_checklist_is_an_instance_once_with_its_task_and_the_categories_that_there_are() -> None:
    questions = made(each_question(SONG))
    assert [one.instruction for one in questions] == ["Is it short?", "Is it kind?"]
    assert all(one.context == {TASK: ("Write a song.",), CATEGORIES: KNOWN} and not one.outputs for one in questions)
    assert {one.key for one in questions} == {SONG.key}


def test_an_instance_whose_checklist_has_no_question_is_dropped_for_that() -> None:
    assert reasons(each_question(BARE)) == ["its checklist has no question"]


def said(question: Instance, *categories: str, why_none: bool = False) -> list[Verdict]:
    """A judge's yes or no to each category."""
    words = [Outcome(missing="unparsed") if why_none else Outcome("yes" if c in categories else "no") for c in KNOWN]
    names = [f"category {name}" for name in KNOWN]
    return [
        Verdict(question.id, "categorize@tick", n, NOTHING, word, word) for n, word in zip(names, words, strict=True)
    ]


def categorized(verdicts: list[Verdict], *about: Instance, labels: tuple[Label, ...] = ()) -> list[Accounted]:
    """What a judge says of questions is known by the keys of what they are questions about."""
    keys = {question.id: question.key for question in made(each_question(SONG, POEM))}
    benchmark = Categorized(
        derive="categorized", of="b", asked_about="questions", model="judge", protocol="categorize@tick"
    )
    return derive(benchmark, about, labels, verdicts={"judge": ById(verdicts, keys)})


SHORT, KIND, SHORT_POEM, TRUE = made(each_question(SONG, POEM))
SAID = [*said(TRUE, "Tone"), *said(SHORT, "Length"), *said(KIND, "Length", "Tone"), *said(SHORT_POEM)]


def test_categories_that_a_judge_names_stand_beside_each_question_whatever_their_order() -> None:
    song, poem = made(categorized(SAID, SONG, POEM))
    assert categories_of(song) == [("Length",), ("Length", "Tone"), ("Length",)]
    assert categories_of(poem) == [("",), ("Tone",)]
    assert (song.id, poem.id) == (SONG.id, POEM.id)


def test_equal_questions_of_two_instances_keep_what_was_said_of_each() -> None:
    assert SHORT_POEM.id == f"{SHORT.id}-2"
    [poem] = made(categorized([*said(SHORT, "Length"), *said(SHORT_POEM, "Tone"), *said(TRUE)], POEM))
    assert categories_of(poem) == [("Tone",), ("",)]


def test_a_question_for_which_no_category_is_named_counts_in_none_and_in_the_ledger() -> None:
    [song] = categorized([*said(SHORT, why_none=True), *said(KIND, "Tone")], SONG)
    assert categories_of(made([song])[0]) == [("",), ("Tone",), ("",)]
    assert song.entry.facts == {"questions": "3", "without a category": "2"}


def test_answers_of_people_stay_with_the_response_that_they_are_about() -> None:
    label = Label(SONG.id, "r1", "Is it short?", 0, "yes", None)
    assert labels_of(categorized(SAID, SONG, labels=(label,))) == [label]


def test_a_question_that_nobody_was_asked_about_is_named() -> None:
    with pytest.raises(PlumblineError, match="nobody was asked for the categories of 'Is it kind\\?'"):
        categorized(said(SHORT, "Length"), SONG)
