"""Instances with what models wrote about them: as context, as one more output, or as another instruction."""

from __future__ import annotations

import pytest
from deriving_here import derive, gold, instance, labels_of, made, reasons, stored, text, written
from plumbline.config.writing import WrittenText
from plumbline.data.instances import Instance, Output
from plumbline.data.loaded import Accounted
from plumbline.data.texts import State
from plumbline.derive.derivations.with_texts import NO_INSTRUCTION, WithTexts
from plumbline.records.errors import PlumblineError

ABOUT = stored(*(instance(f"Say {n}.", "One.", "Two.") for n in range(3)))
USES = {
    "checklist": WrittenText("writer", becomes="context"),
    "mine": WrittenText("writer", becomes="output"),
    "changed": WrittenText("writer", becomes="instruction"),
}
Said = tuple[list[str], State]


def with_texts(name: str, answers: dict[int, Said], about: list[Instance] = ABOUT) -> list[Accounted]:
    """The three instances with a text each; `said` by their number."""
    texts = [
        text(about[number], one, state=state, number=place)
        for number, (result, state) in answers.items()
        for place, one in enumerate(result)
    ]
    declared = WithTexts(derive="with_texts", of="b", written={name: USES[name]})
    return derive(declared, about, [gold(one, "first") for one in about], texts=written({name: texts}))


def of_all(*words: str, state: State = "written") -> dict[int, Said]:
    return dict.fromkeys(range(3), (list(words), state))


def test_a_text_becomes_context_and_ids_and_labels_stay() -> None:
    derived = with_texts("checklist", of_all("Short?", "Rhymes?"))
    assert [one.context["checklist"] for one in made(derived)] == [("Short?", "Rhymes?")] * 3
    assert [one.id for one in made(derived)] == [one.id for one in ABOUT]
    assert [label.instance for label in labels_of(derived)] == [one.id for one in ABOUT]


def test_a_text_becomes_an_output_by_its_system() -> None:
    derived = with_texts("mine", of_all("Mine."))
    assert [one.outputs[-1] for one in made(derived)] == [Output("mine", "Mine.")] * 3
    assert not {one.id for one in made(derived)} & {one.id for one in ABOUT}, "outputs are part of what an instance is"
    assert [label.instance for label in labels_of(derived)] == [one.id for one in made(derived)]


def test_another_instruction_leaves_what_people_said_behind() -> None:
    derived = with_texts("changed", of_all("Sing."))
    assert [one.instruction for one in made(derived)] == ["Sing."] * 3
    assert labels_of(derived) == [] and [one.entry.labels_left for one in derived] == [1, 1, 1]


@pytest.mark.parametrize("state", ["refused", "empty", "missing"])
def test_an_instance_without_a_usable_text_says_so_and_gets_none(state: State) -> None:
    [listed, *_] = made(with_texts("checklist", of_all("", state=state)))
    assert (listed.flawed, listed.context["checklist"]) == ({"checklist": state}, ())
    [answered, *_] = made(with_texts("mine", of_all("", state=state)))
    assert (answered.flawed, answered.texts[-1]) == ({"mine": state}, "")


def test_the_words_of_a_refusal_are_the_text_where_refusals_count_and_stay_marked() -> None:
    declared = WithTexts(
        derive="with_texts", of="b", written={"told": WrittenText("writer", becomes="context", refusals=True)}
    )
    said = [
        text(ABOUT[0], "I will not.", state="refused"),
        text(ABOUT[1], " ", state="refused"),
        text(ABOUT[2], "Yes."),
    ]
    derived = made(derive(declared, ABOUT, [gold(one, "first") for one in ABOUT], texts=written({"told": said})))
    assert [one.context["told"] for one in derived] == [("I will not.",), (), ("Yes.",)]
    assert [one.flawed for one in derived] == [{"told": "refused"}, {"told": "refused"}, {}]


def test_a_cut_text_is_used_and_marked() -> None:
    [one, *_] = made(with_texts("checklist", of_all("Sho", state="truncated")))
    assert (one.flawed, one.context["checklist"]) == ({"checklist": "truncated"}, ("Sho",))


def test_an_instance_whose_instruction_nobody_changed_is_dropped_with_the_reason() -> None:
    derived = with_texts("changed", of_all("Sing.") | {0: ([""], "refused")})
    assert reasons(derived) == [NO_INSTRUCTION, "kept", "kept"]
    assert derived[0].entry.facts == {"state": "refused"} and derived[0].entry.texts == {"instruction": "Say 0."}


def test_instances_that_nothing_was_written_about_are_an_error() -> None:
    answers = of_all("Short?")
    del answers[2]
    with pytest.raises(PlumblineError, match=ABOUT[2].id):
        with_texts("checklist", answers)
