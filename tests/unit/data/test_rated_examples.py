"""Rated examples for prompts: of other documents, drawn by a seed, with a rating that somebody gave."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from plumbline.config.benchmark import Examples
from plumbline.data.examples import RATED_EXAMPLES, RatedExample, stream_examples, write_examples
from plumbline.data.instances import DOCUMENT, Instance, Output, identified, read_instances, write_instances
from plumbline.data.labels import Label, write_labels
from plumbline.data.loaded import write_loaded
from plumbline.records.errors import PlumblineError
from plumbline.writing.derived import derived

DECLARED = Examples("rating", 3)


def instances(documents: int = 6) -> list[Instance]:
    """Two questions about each document, two answers to each."""
    places = [(chr(ord("A") + number), question) for number in range(documents) for question in (1, 2)]
    return list(
        identified(
            Instance("", "all", f"Question {q} about {d}.", answers_of(f"{d}{q}"), {DOCUMENT: (d,)}) for d, q in places
        )
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


def drawn(folder: Path, said: list[Label], declared: Examples = DECLARED) -> dict[str, list[RatedExample]]:
    write_instances(folder / "instances.parquet", instances())
    write_labels(folder / "labels.parquet", said)
    write_examples(folder / "examples.parquet", folder / "instances.parquet", folder / "labels.parquet", declared)
    found: dict[str, list[RatedExample]] = {}
    for one in stream_examples(folder / "examples.parquet"):
        found.setdefault(one.instance, []).append(one)
    return found


@pytest.mark.parametrize("count", [3, 4])
def test_each_instance_has_so_many_examples_of_as_many_other_documents(tmp_path: Path, count: int) -> None:
    about = instances()
    found = drawn(tmp_path, labels(about), Examples("rating", count))
    assert list(found) == [instance.id for instance in about]
    for instance in about:
        documents = [one.document for one in found[instance.id]]
        assert len(set(documents)) == count and instance.context[DOCUMENT][0] not in documents


def test_an_example_is_an_answer_with_the_middle_of_its_own_ratings(tmp_path: Path) -> None:
    about, said = instances(), labels(instances())
    for one in (one for shown in drawn(tmp_path, said).values() for one in shown):
        (source,) = [instance for instance in about if instance.instruction == one.instruction]
        output = source.texts.index(one.answer)
        given = sorted(label.value for label in said if (label.instance, label.about) == (source.id, output))
        assert one.document == source.context[DOCUMENT][0] and one.rating == given[1]


def test_of_two_ratings_the_lower_is_shown_and_an_answer_without_one_never(tmp_path: Path) -> None:
    about = instances()
    said = [label for label in labels(about) if label.rater != "r3" and label.about == 1]
    by_answer = {
        instance.texts[1]: min(label.value or 0 for label in said if label.instance == instance.id)
        for instance in about
    }
    shown = [one for all_of_one in drawn(tmp_path, said).values() for one in all_of_one]
    assert {one.answer[-1] for one in shown} == {"b"} and all(one.rating == by_answer[one.answer] for one in shown)


def test_a_changed_rating_changes_the_examples_that_show_it_and_no_other(tmp_path: Path) -> None:
    said = labels(instances())
    before = drawn(tmp_path, said)
    corrected = [replace(label, value=2.0) if label.instance == said[0].instance else label for label in said]
    after = drawn(tmp_path, corrected)
    changed = [(old, new) for id in before for old, new in zip(before[id], after[id], strict=True) if old != new]
    assert changed and all(replace(old, rating=2.0) == new for old, new in changed)
    assert {old.instruction for old, _ in changed} == {instances()[0].instruction}


def test_who_shows_fewer_shows_the_first_and_another_seed_draws_others(tmp_path: Path) -> None:
    said = labels(instances())
    four, other = drawn(tmp_path, said, Examples("rating", 4)), drawn(tmp_path, said, Examples("rating", 4, seed=2))
    assert four == drawn(tmp_path, said, Examples("rating", 4)) and four != other


def test_too_few_other_documents_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match=r"no 6 other documents(?s:.*)found:    5"):
        drawn(tmp_path, labels(instances()), Examples("rating", 6))


def test_a_derived_benchmark_has_them_as_context_and_keeps_ids_and_labels(tmp_path: Path) -> None:
    about = instances()
    found = drawn(tmp_path, labels(about))
    files = [tmp_path / f"{name}.parquet" for name in ("instances", "labels")]
    loaded = derived(*files, {}, [], ["all"], examples=tmp_path / "examples.parquet")
    write_loaded(tmp_path / "made.parquet", tmp_path / "made_labels.parquet", loaded)
    made = read_instances(tmp_path / "made.parquet")
    assert [one.id for one in made] == [one.id for one in about]
    assert (tmp_path / "made_labels.parquet").read_bytes() == files[1].read_bytes()
    for one in made:
        shown = [json.loads(text) for text in one.context[RATED_EXAMPLES]]
        assert [each["answer"] for each in shown] == [example.answer for example in found[one.id]]
        assert "instance" not in shown[0]
