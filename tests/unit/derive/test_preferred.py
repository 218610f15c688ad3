"""The outputs that a judge prefers."""

from __future__ import annotations

from typing import Any

import pytest
from deriving_here import derive, instance, labels_of, made, stored
from plumbline.data.instances import Instance
from plumbline.data.labels import Label
from plumbline.data.loaded import Accounted
from plumbline.data.verdicts import Said, Verdict
from plumbline.derive.derivations.preferred import Preferred
from plumbline.derive.given import ById

[THREE] = stored(instance("Say it.", "One.", "Two.", "Three."))
[PAIR] = stored(instance("Say it.", "One.", "Two."))
UNPARSED = Said(missing="unparsed")


def said(output: int, what: float | str | None, question: str = "rating", sample: int = 0) -> Verdict:
    """What a judge who is shown one output says of it."""
    found = UNPARSED if what is None else Said(what) if isinstance(what, str) else Said(number=float(what))
    return Verdict(THREE.id, "rate", question, f"{output + 1}", found, found, sample=sample)


def better(showing: str, word: str | None) -> Verdict:
    found = Said(word) if word else UNPARSED
    return Verdict(PAIR.id, "compare", "better", showing, found, found)


def preferred(of: Instance, verdicts: list[Verdict], **options: Any) -> Accounted:
    declared = Preferred(derive="preferred", of="p", model="judge", protocol="p", **options)
    labels = [Label(of.id, "ann", "rating", about, "", 10.0 - about) for about in range(len(of.outputs))]
    [found] = derive(declared, [of], labels, verdicts={"judge": ById(verdicts)})
    return found


def kept(found: Accounted) -> list[str]:
    return [text for one in made([found]) for text in one.texts]


def test_the_output_with_the_highest_score_stays_with_what_people_said_of_it() -> None:
    found = preferred(THREE, [said(0, 3), said(1, 5), said(2, 4)])
    assert kept(found) == ["Two."]
    assert found.entry.facts == {"score 1": "3.0", "score 2": "5.0", "score 3": "4.0"}
    assert [(label.about, label.value) for label in labels_of([found])] == [(0, 9.0)]
    assert found.entry.labels_left == 2 and made([found])[0].id != THREE.id


def test_all_that_share_the_highest_score_stay_in_their_order() -> None:
    assert kept(preferred(THREE, [said(0, 5), said(1, 3), said(2, 5)])) == ["One.", "Three."]


def test_where_all_are_equally_good_the_instance_is_as_it_was() -> None:
    assert made([preferred(THREE, [said(output, 4) for output in range(3)])]) == [THREE]


def test_an_output_of_which_nothing_was_said_is_none_of_them() -> None:
    found = preferred(THREE, [said(0, 1), said(1, None)])
    assert kept(found) == ["One."] and found.entry.facts == {"score 1": "1.0"}


@pytest.mark.parametrize("verdicts", [[], [said(0, None), said(1, None)]])
def test_where_nothing_was_said_of_any_output_none_stays(verdicts: list[Verdict]) -> None:
    found = preferred(THREE, verdicts)
    assert (kept(found), found.entry.reason) == ([], "nothing was said of any output")


def test_answers_to_a_checklist_count_as_the_share_of_yes() -> None:
    answers = {0: ("yes", "no", "no"), 1: ("yes", "yes", "no"), 2: ("no", "no", "yes")}
    verdicts = [said(output, word, f"Is it {n}?") for output, words in answers.items() for n, word in enumerate(words)]
    assert kept(preferred(THREE, verdicts)) == ["Two."]
    assert kept(preferred(THREE, verdicts, question="Is it 2?")) == ["Three."]
    assert kept(preferred(THREE, verdicts, question="Is it 0?")) == ["One.", "Two."]


def test_an_answer_that_was_not_given_enters_no_mean() -> None:
    found = preferred(THREE, [said(0, "yes", "a"), said(0, None, "b"), said(1, "yes", "a"), said(1, "no", "b")])
    assert kept(found) == ["One."] and found.entry.facts == {"score 1": "1.0", "score 2": "0.5"}


def test_the_mean_of_several_samples_counts() -> None:
    verdicts = [said(0, 5), said(0, 1, sample=1), said(1, 4), said(1, 4, sample=1), said(2, 1)]
    assert kept(preferred(THREE, verdicts)) == ["Two."]


@pytest.mark.parametrize(
    ("plain", "swapped", "best"),
    [
        ("first", "first", ["One."]),
        ("second", "second", ["Two."]),
        ("first", "second", ["One.", "Two."]),
        ("first", "tie", ["One."]),
        ("tie", "tie", ["One.", "Two."]),
        (None, "second", ["Two."]),
        (None, None, []),
    ],
)
def test_of_two_outputs_the_better_one_stays_and_both_where_the_orders_disagree(
    plain: str | None, swapped: str | None, best: list[str]
) -> None:
    assert kept(preferred(PAIR, [better("plain", plain), better("swapped", swapped)])) == best


@pytest.mark.parametrize(("reading", "best"), [("strict", "Two."), ("as_published", "One.")])
def test_answers_are_read_as_it_is_declared(reading: str, best: str) -> None:
    verdict = Verdict(PAIR.id, "compare", "better", "plain", Said("first"), Said("second"))
    assert kept(preferred(PAIR, [verdict], reading=reading)) == [best]
