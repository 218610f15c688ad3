"""Rated examples for prompts: of other documents, drawn by a seed, with a rating that somebody gave."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from deriving_here import derive, labels_of, made, stored
from plumbline.data.instances import DOCUMENT, RATED_EXAMPLES, Instance, Output
from plumbline.data.labels import Label
from plumbline.derive.derivations.rated_examples import Examples
from plumbline.records.errors import PlumblineError


def instances(documents: int = 6) -> list[Instance]:
    """Two questions about each document, two answers to each."""
    places = [(chr(ord("A") + number), question) for number in range(documents) for question in (1, 2)]
    return stored(
        *(Instance("", "all", f"Question {q} about {d}.", answers_of(f"{d}{q}"), {DOCUMENT: (d,)}) for d, q in places)
    )


def answers_of(name: str) -> tuple[Output, Output]:
    return Output("a", f"{name}a"), Output("b", f"{name}b")


def labels(about: list[Instance]) -> list[Label]:
    return [
        Label(instance.id, rater, "rating", output, "", float(value))
        for number, instance in enumerate(about)
        for output in (0, 1)
        for rater, value in (("r1", 1 + number % 5), ("r2", 1 + (number + output) % 5), ("r3", 5))
    ]


def drawn(answers: list[Label], count: int = 3, seed: int = 1) -> dict[str, list[dict[str, Any]]]:
    benchmark = Examples(derive="rated_examples", of="b", question="rating", count=count, seed=seed)
    derived = made(derive(benchmark, instances(), answers))
    return {one.id: [json.loads(text) for text in one.context[RATED_EXAMPLES]] for one in derived}


@pytest.mark.parametrize("count", [3, 4])
def test_each_instance_has_so_many_examples_of_as_many_other_documents(count: int) -> None:
    about = instances()
    result = drawn(labels(about), count)
    assert list(result) == [instance.id for instance in about]
    for instance in about:
        documents = [one["document"] for one in result[instance.id]]
        assert len(set(documents)) == count and instance.context[DOCUMENT][0] not in documents


def test_an_example_is_an_answer_with_the_middle_of_its_own_ratings() -> None:
    about, given_labels = instances(), labels(instances())
    for one in (one for shown in drawn(given_labels).values() for one in shown):
        (source,) = [instance for instance in about if instance.instruction == one["instruction"]]
        output = source.texts.index(one["answer"])
        given = sorted(
            label.value or 0 for label in given_labels if (label.instance, label.about) == (source.id, output)
        )
        assert one["document"] == source.context[DOCUMENT][0] and one["rating"] == given[1]


def test_of_two_ratings_the_lower_is_shown_and_an_answer_without_one_never() -> None:
    about = instances()
    given_labels = [label for label in labels(about) if label.rater != "r3" and label.about == 1]
    by_answer = {
        instance.texts[1]: min(label.value or 0 for label in given_labels if label.instance == instance.id)
        for instance in about
    }
    shown = [one for all_of_one in drawn(given_labels).values() for one in all_of_one]
    assert {one["answer"][-1] for one in shown} == {"b"}
    assert all(one["rating"] == by_answer[one["answer"]] for one in shown)


def test_a_changed_rating_changes_the_examples_that_show_it_and_no_other() -> None:
    given_labels = labels(instances())
    before = drawn(given_labels)
    after = drawn(
        [replace(label, value=2.0) if label.instance == given_labels[0].instance else label for label in given_labels]
    )
    changed = [(old, new) for id in before for old, new in zip(before[id], after[id], strict=True) if old != new]
    assert changed and all(old | {"rating": 2.0} == new for old, new in changed)
    assert {old["instruction"] for old, _ in changed} == {instances()[0].instruction}


def test_another_seed_draws_others() -> None:
    given_labels = labels(instances())
    assert drawn(given_labels, 4) == drawn(given_labels, 4) != drawn(given_labels, 4, seed=2)


def test_too_few_other_documents_are_refused() -> None:
    with pytest.raises(PlumblineError, match=r"no 6 other documents(?s:.*)found:    5"):
        drawn(labels(instances()), 6)


def test_ids_and_labels_stay_and_no_example_says_whose_it_is() -> None:
    about, given_labels = instances(), labels(instances())
    derived = derive(Examples(derive="rated_examples", of="b", question="rating", count=3), about, given_labels)
    assert [one.id for one in made(derived)] == [one.id for one in about]
    assert labels_of(derived) == given_labels
    assert all("instance" not in json.loads(text) for one in made(derived) for text in one.context[RATED_EXAMPLES])
