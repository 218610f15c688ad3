"""One instance for each of several texts that a model wrote about one."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from deriving_here import derive, gold, instance, labels_of, made, reasons, stored, written
from plumbline.data.instances import Instance, Output
from plumbline.data.loaded import Accounted
from plumbline.data.texts import State, Text
from plumbline.derive.derivations.fan_out import FanOut
from plumbline.records.errors import PlumblineError

ABOUT, OTHER, BARE = stored(
    instance("Say it.", "One.", "Two.", key="k1", document="A long story.", category="summary"),
    instance("Say more.", "One.", key="k2", document="Another story."),
    instance("Say nothing."),
)


def texts_of(about: Instance, *texts: str, state: State = "written") -> list[Text]:
    return [Text(about.id, "write:tasks@w", 0, number, text, state) for number, text in enumerate(texts)]


def fan_out(
    *texts: Text, about: tuple[Instance, ...] = (ABOUT,), becomes: Literal["instruction", "output"] = "instruction"
) -> list[Accounted]:
    benchmark = FanOut(derive="fan_out", of="b", model="writer", step="tasks@w", becomes=becomes)
    labels = [gold(one, "first") for one in about if len(one.outputs) == 2]
    return derive(benchmark, about, labels, texts=written({"text": texts}))


def test_one_instance_becomes_one_for_each_text() -> None:
    derived = made(fan_out(*texts_of(ABOUT, "Sum it up.", "Name the hero.", "Name the place.")))
    assert [one.instruction for one in derived] == ["Sum it up.", "Name the hero.", "Name the place."]
    assert all(one.outputs == () for one in derived)
    assert len({one.id for one in derived} | {ABOUT.id}) == 4


def test_context_document_key_and_origin_are_shared() -> None:
    for one in made(fan_out(*texts_of(ABOUT, "Sum it up.", "Name the hero."))):
        assert (one.context, one.key, one.origin, one.subset) == (ABOUT.context, ABOUT.key, ABOUT.origin, ABOUT.subset)


def test_each_text_has_a_row_in_the_ledger_with_what_it_became() -> None:
    derived = fan_out(*texts_of(ABOUT, "Sum it up.", "Name the hero."))
    assert [one.entry.facts["text"] for one in derived] == ["1 of 2", "2 of 2"]
    assert [one.entry.texts["text"] for one in derived] == ["Sum it up.", "Name the hero."]
    assert [one.entry.became for one in derived] == [(one.id,) for one in made(derived)]


def test_as_output_each_text_stands_alone_under_the_instruction_by_its_writer() -> None:
    derived = made(fan_out(*texts_of(ABOUT, "Mine.", "Mine too."), becomes="output"))
    assert [one.outputs for one in derived] == [(Output("writer", "Mine."),), (Output("writer", "Mine too."),)]
    assert {(one.instruction, *one.context["document"]) for one in derived} == {("Say it.", "A long story.")}


def test_what_one_instance_becomes_does_not_depend_on_the_others() -> None:
    texts = [*texts_of(ABOUT, "Sum it up."), *texts_of(OTHER, "Sum it up.")]
    together = made(fan_out(*texts, about=(ABOUT, OTHER)))
    assert together == made(fan_out(*texts)) + made(fan_out(*texts, about=(OTHER,)))


@pytest.mark.parametrize("state", ["refused", "empty", "missing"])
def test_a_text_that_is_of_no_use_is_in_the_ledger_with_its_state(state: State) -> None:
    [first, second] = texts_of(ABOUT, "Sum it up.", "")
    derived = fan_out(first, replace(second, state=state))
    assert reasons(derived) == ["kept", f"the text is {state}"]
    assert len(made(derived)) == 1 and derived[1].entry.facts == {"text": "2 of 2"}


@pytest.mark.parametrize(("becomes", "name"), [("instruction", "instruction"), ("output", "writer")])
def test_a_cut_text_is_used_and_marked(becomes: Literal["instruction", "output"], name: str) -> None:
    derived = made(fan_out(*texts_of(ABOUT, "Sum it", state="truncated"), becomes=becomes))
    assert [one.flawed for one in derived] == [{name: "truncated"}]


def test_a_text_that_says_the_same_again_is_dropped_as_that() -> None:
    derived = fan_out(*texts_of(BARE, "Say nothing.", "Sing.", "Sing.", "Say nothing."), about=(BARE,))
    assert reasons(derived) == ["kept", "kept", "the same text as before", "the same text as before"]
    assert [one.id == BARE.id for one in made(derived)] == [True, False], "the very same content keeps its id"


def test_what_people_said_of_the_old_instruction_is_left_out_and_counted() -> None:
    derived = fan_out(*texts_of(ABOUT, "Sum it up.", "Name the hero."))
    assert labels_of(derived) == [] and [one.entry.labels_left for one in derived] == [1, 1]


def test_an_instance_that_nobody_wrote_about_is_named() -> None:
    with pytest.raises(PlumblineError, match=f"the instance {OTHER.id}"):
        fan_out(*texts_of(ABOUT, "Sum it up."), about=(ABOUT, OTHER))


@pytest.mark.parametrize(
    ("texts", "lacking"), [(("A", "B", "C"), []), (("A", "B"), ["2"]), (("A", "A"), ["1"]), (("",), ["0"])]
)
def test_fewer_different_texts_than_wanted_are_taken_and_counted(texts: tuple[str, ...], lacking: list[str]) -> None:
    benchmark = FanOut(derive="fan_out", of="b", model="writer", step="tasks@w", wanted=3)
    rows = [replace(one, state="written" if one.text else "empty") for one in texts_of(ABOUT, *texts)]
    derived = derive(benchmark, (ABOUT,), texts=written({"text": rows}))
    short = [one.entry.facts for one in derived if one.entry.reason == "fewer texts than wanted"]
    assert short == [{"wanted": "3", "found": found} for found in lacking]
    assert len(made(derived)) == len({*texts} - {""})
