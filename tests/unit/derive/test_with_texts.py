"""Instances with what models wrote about them: as context, as one more output, or as another instruction."""

from __future__ import annotations

import pytest
from deriving_here import derive, gold, instance, labels_of, made, reasons, stored, text, written
from plumbline.config.writing import Written
from plumbline.data.instances import Instance, Output
from plumbline.data.loaded import Accounted
from plumbline.data.texts import State
from plumbline.derive.derivations.with_texts import NO_INSTRUCTION, WithTexts
from plumbline.records.errors import PlumblineError

ABOUT = stored(*(instance(f"Say {n}.", "One.", "Two.") for n in range(3)))
USES = {
    "checklist": Written("writer", becomes="context"),
    "mine": Written("writer", becomes="output"),
    "changed": Written("writer", becomes="instruction"),
}
Said = tuple[list[str], State]


def with_texts(name: str, said: dict[int, Said], about: list[Instance] = ABOUT) -> list[Accounted]:
    """The three instances with a text each; `said` by their number."""
    texts = [
        text(about[number], one, state=state, number=place)
        for number, (found, state) in said.items()
        for place, one in enumerate(found)
    ]
    declared = WithTexts(derive="with_texts", of="b", written={name: USES[name]})
    return derive(declared, about, [gold(one, "first") for one in about], texts=written({name: texts}))


def of_all(*found: str, state: State = "written") -> dict[int, Said]:
    return dict.fromkeys(range(3), (list(found), state))


def test_a_text_becomes_context_and_ids_and_labels_stay() -> None:
    found = with_texts("checklist", of_all("Short?", "Rhymes?"))
    assert [one.context["checklist"] for one in made(found)] == [("Short?", "Rhymes?")] * 3
    assert [one.id for one in made(found)] == [one.id for one in ABOUT]
    assert [label.instance for label in labels_of(found)] == [one.id for one in ABOUT]


def test_a_text_becomes_an_output_by_its_system() -> None:
    found = with_texts("mine", of_all("Mine."))
    assert [one.outputs[-1] for one in made(found)] == [Output("mine", "Mine.")] * 3
    assert not {one.id for one in made(found)} & {one.id for one in ABOUT}, "outputs are part of what an instance is"
    assert [label.instance for label in labels_of(found)] == [one.id for one in made(found)]


def test_another_instruction_leaves_what_people_said_behind() -> None:
    found = with_texts("changed", of_all("Sing."))
    assert [one.instruction for one in made(found)] == ["Sing."] * 3
    assert labels_of(found) == [] and [one.entry.labels_left for one in found] == [1, 1, 1]


@pytest.mark.parametrize("state", ["refused", "empty", "missing"])
def test_an_instance_without_a_usable_text_says_so_and_gets_none(state: State) -> None:
    [listed, *_] = made(with_texts("checklist", of_all("", state=state)))
    assert (listed.flawed, listed.context["checklist"]) == ({"checklist": state}, ())
    [answered, *_] = made(with_texts("mine", of_all("", state=state)))
    assert (answered.flawed, answered.texts[-1]) == ({"mine": state}, "")


def test_a_cut_text_is_used_and_marked() -> None:
    [one, *_] = made(with_texts("checklist", of_all("Sho", state="truncated")))
    assert (one.flawed, one.context["checklist"]) == ({"checklist": "truncated"}, ("Sho",))


def test_an_instance_whose_instruction_nobody_changed_is_dropped_with_the_reason() -> None:
    found = with_texts("changed", of_all("Sing.") | {0: ([""], "refused")})
    assert reasons(found) == [NO_INSTRUCTION, "kept", "kept"]
    assert found[0].entry.facts == {"state": "refused"} and found[0].entry.texts == {"instruction": "Say 0."}


def test_instances_that_nothing_was_written_about_are_an_error() -> None:
    said = of_all("Short?")
    del said[2]
    with pytest.raises(PlumblineError, match=ABOUT[2].id):
        with_texts("checklist", said)
