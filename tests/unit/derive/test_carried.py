"""Labels go with the outputs that they are about, and ids with the content."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plumbline.data.instances import DOCUMENT, Instance, Output, base_id
from plumbline.data.labels import BETTER, Label
from plumbline.derive.carried import carried
from plumbline.derive.identities import InstanceIds
from plumbline.records.errors import PlumblineError

ONE, OTHER, THIRD = Output("a", "One."), Output("b", "Other."), Output("c", "Third.")
PAIR = Instance("p", "all", "Say something.", (ONE, OTHER), {}, "f#1", "1")


def better(word: str) -> Label:
    return Label("p", "gold", BETTER, None, word, None)


def rating(about: int) -> Label:
    return Label("p", "ann", "rating", about, "", 4.0)


def words(before: Instance, after: Instance, *labels: Label) -> list[tuple[str, int | None]]:
    return [(label.word, label.about) for label in carried(labels, before, after).labels]


def test_a_label_follows_its_output_to_another_place() -> None:
    turned = replace(PAIR, outputs=(OTHER, ONE))
    assert words(PAIR, turned, better("first"), better("tie")) == [("second", None), ("tie", None)]
    assert words(PAIR, turned, rating(0), rating(1)) == [("", 1), ("", 0)]


def test_a_label_about_an_output_that_is_gone_is_left_out_and_counted() -> None:
    alone = replace(PAIR, outputs=(OTHER,))
    result = carried([better("first"), rating(0), rating(1)], PAIR, alone)
    assert [(label.question, label.about) for label in result.labels] == [("rating", 0)]
    assert result.left_out == 2


def test_labels_stay_where_outputs_are_added() -> None:
    three = replace(PAIR, outputs=(*PAIR.outputs, THIRD))
    assert words(PAIR, three, better("second"), rating(1)) == [("second", None), ("", 1)]


@pytest.mark.parametrize("changed", [{"instruction": "Ask."}, {"context": {DOCUMENT: ("D",)}}])
def test_what_people_said_of_an_instruction_holds_of_no_other(changed: dict[str, object]) -> None:
    result = carried([better("first"), rating(0)], PAIR, replace(PAIR, **changed))
    assert (result.labels, result.left_out) == ((), 2)


def test_context_changes_no_label() -> None:
    assert words(PAIR, replace(PAIR, context={"reference": ("R",)}), rating(1)) == [("", 1)]


def test_of_two_equal_outputs_each_keeps_its_own_labels() -> None:
    same = replace(PAIR, outputs=(ONE, ONE))
    assert words(same, same, rating(0), rating(1)) == [("", 0), ("", 1)]


def test_an_id_is_kept_as_long_as_the_content_is_with_its_occurrence_number() -> None:
    second = replace(PAIR, id=f"{base_id(PAIR)}-2")
    made = replace(second, context={"reference": ("R",)}, subset="other")
    assert InstanceIds("b").of(made, second, "a").id == second.id


def test_other_content_gets_an_id_of_its_own_numbered_in_order() -> None:
    identities = InstanceIds("b")
    made = replace(PAIR, id="", instruction="Ask.")
    names = [identities.of(made, replace(PAIR, id=name), "a").id for name in ("p", "q")]
    assert names == [base_id(made), f"{base_id(made)}-2"]


def test_instances_of_two_parents_with_one_id_are_told_apart() -> None:
    identities, pair = InstanceIds("b"), replace(PAIR, id=base_id(PAIR))
    assert [identities.of(pair, pair, parent).id for parent in ("a", "c")] == [pair.id, f"{pair.id}-2"]


def test_an_instance_that_is_made_twice_is_refused() -> None:
    identities = InstanceIds("b")
    identities.of(PAIR, PAIR, "a")
    with pytest.raises(PlumblineError, match="the instance p is made twice"):
        identities.of(PAIR, PAIR, "a")


def test_a_new_instance_that_says_again_what_it_was_made_of_is_numbered() -> None:
    identities, before = InstanceIds("b"), replace(PAIR, id=base_id(PAIR))
    names = [identities.of(replace(before, id=""), before, "a").id for _ in range(2)]
    assert names == [before.id, f"{before.id}-2"]


def test_an_id_of_its_own_making_is_refused() -> None:
    with pytest.raises(PlumblineError, match=r"'mine' of its own making(.|\n)*benchmark b, instance p"):
        InstanceIds("b").of(replace(PAIR, id="mine"), PAIR, "a")
