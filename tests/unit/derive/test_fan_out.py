"""One instance for each of several texts about one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from deriving_here import derive, gold, instance, labels_of, made, reasons, stored, text, written
from plumbline.data.instances import CATEGORY, DOCUMENT, Instance, Output
from plumbline.data.loaded import Accounted
from plumbline.data.texts import Text
from plumbline.derive.derivations.fan_out import FanOut
from plumbline.records.errors import PlumblineError

CONTEXT = {DOCUMENT: ("A long story.",), CATEGORY: ("summary",)}
[STORY] = stored(replace(instance("Ask about it.", "One.", "Two."), context=CONTEXT))


def texts(*said: str) -> list[Text]:
    return [text(STORY, each, number=number) for number, each in enumerate(said)]


def fanned(written_texts: list[Text], of: Instance = STORY, **options: Any) -> list[Accounted]:
    declared = FanOut(derive="fan_out", of="p", model="writer", step="questions", **options)
    return derive(declared, [of], [gold(of, "first")], texts=written({"text": written_texts}))


def test_each_text_is_the_instruction_of_an_instance_without_outputs() -> None:
    found = fanned(texts("Who?", "Where?", "When?"))
    assert [(one.instruction, one.outputs) for one in made(found)] == [("Who?", ()), ("Where?", ()), ("When?", ())]
    assert [one.entry.facts["text"] for one in found] == ["1 of 3", "2 of 3", "3 of 3"]
    assert {one.entry.input for one in found} == {STORY.id}


def test_or_its_only_output_by_who_wrote_it() -> None:
    found = fanned(texts("A.", "B."), becomes="output")
    assert [one.outputs for one in made(found)] == [(Output("writer", "A."),), (Output("writer", "B."),)]
    assert {one.instruction for one in made(found)} == {STORY.instruction}


@pytest.mark.parametrize("becomes", ["instruction", "output"])
def test_document_context_and_key_are_shared_ids_are_not_and_no_label_holds(becomes: str) -> None:
    found = fanned(texts("Who?", "Where?"), becomes=becomes)
    assert all((one.context, one.key, one.subset) == (CONTEXT, STORY.key, STORY.subset) for one in made(found))
    assert len({one.id for one in made(found)} | {STORY.id}) == 3
    assert labels_of(found) == []


@pytest.mark.parametrize("state", ["refused", "empty", "missing"])
def test_texts_of_no_use_are_left_out_by_their_state(state: str) -> None:
    found = fanned([*texts("Who?"), text(STORY, "", state=state, number=1)])  # type: ignore[arg-type]
    assert reasons(found) == ["kept", f"the text is {state}"]


def test_a_text_that_was_cut_is_of_use() -> None:
    assert reasons(fanned([text(STORY, "Who w", state="truncated")])) == ["kept"]


@pytest.mark.parametrize("becomes", ["instruction", "output"])
def test_texts_that_say_the_same_are_instances_of_their_own(becomes: str) -> None:
    first, second = made(fanned(texts("Who?", "Who?"), becomes=becomes))
    assert second.id == f"{first.id}-2"


def test_texts_that_repeat_what_they_were_made_of_are_no_instance_twice() -> None:
    [bare] = stored(instance("Who?"))
    repeated = [text(bare, "Who?"), text(bare, "Who?", number=1)]
    assert [one.id for one in made(fanned(repeated, bare))] == [bare.id, f"{bare.id}-2"]


def test_an_instance_about_which_nobody_was_asked_is_refused() -> None:
    with pytest.raises(PlumblineError, match=f"nobody wrote the text 'text' about the instance {STORY.id}"):
        fanned([])
