"""Systems beside a baseline: a pair for each instruction and system, and what becomes of missing responses."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from deriving_here import derive, instance, made, reasons, stored, text, written
from plumbline.config.writing import WrittenText
from plumbline.data.instances import Instance, Output
from plumbline.data.loaded import Accounted
from plumbline.derive.derivations.against_baseline import AgainstBaseline
from plumbline.derive.derivations.with_texts import WithTexts
from plumbline.records.errors import PlumblineError

BASE = "base"


def answered(instruction: str, flawed: dict[str, str] | None = None, **texts: str) -> Instance:
    outputs = tuple(Output(system, text) for system, text in texts.items())
    return replace(instance(instruction, category="Open QA"), outputs=outputs, flawed=flawed or {})


ANSWERED = stored(
    answered("Say 1.", base="base 1", a="a 1", b="b 1"),
    answered("Say 2.", base="base 2", a="a 2", b="b 2"),
)


def compared(
    *instances: Instance, incomplete: str = "refused", systems: tuple[str, ...] = ("a", "b")
) -> list[Accounted]:
    benchmark = AgainstBaseline(
        derive="against_baseline",
        of="answers",
        baseline=BASE,
        subsets=dict.fromkeys(systems, ""),
        incomplete=incomplete,  # type: ignore[arg-type]
    )
    return derive(benchmark, instances)


def test_each_system_stands_before_the_baseline_in_a_pair_of_its_own() -> None:
    pairs = made(compared(*ANSWERED))
    assert [one.subset for one in pairs] == ["a", "b", "a", "b"]
    assert [one.texts for one in pairs][:2] == [("a 1", "base 1"), ("b 1", "base 1")]
    assert all(one.outputs[1].system == BASE and one.outputs[0].system == one.subset for one in pairs)
    assert len({one.id for one in pairs}) == 4
    assert {one.context["category"] for one in pairs} == {("Open QA",)}
    assert [one.entry.facts["system"] for one in compared(*ANSWERED)] == ["a", "b", "a", "b"]


def test_systems_of_the_same_text_have_pairs_of_their_own() -> None:
    pairs = made(compared(*stored(answered("Say 1.", base="x", a="same", b="same"))))
    assert len({one.id for one in pairs}) == 2


def test_a_baseline_beside_itself_is_the_same_text_twice() -> None:
    pairs = made(compared(*ANSWERED, systems=(BASE, "a")))
    assert pairs[0].texts == ("base 1", "base 1")


def test_without_a_baseline_there_is_no_pair() -> None:
    bare = stored(answered("Say 3.", a="a 3", b="b 3"), answered("Say 4.", base=" ", a="a 4", b="b 4"))
    assert reasons(compared(*bare)) == ["no response by the baseline"] * 2


LACKING = stored(
    answered("Say 1.", base="base 1", a="a 1", b="b 1"),
    answered("Say 2.", base="base 2", a="a 2", b="", flawed={"b": "missing"}),
    answered("Say 3.", base="base 3", a="a 3", b="", flawed={"b": "ambiguous"}),
    answered("Say 4.", base="base 4", a="", b="b 4", flawed={"a": "empty"}),
)


def test_a_system_without_some_responses_is_refused_with_the_counts() -> None:
    with pytest.raises(PlumblineError) as error:
        compared(*LACKING)
    message = str(error.value)
    assert "a responded to 3 of 4 instructions (1 with an empty one)" in message
    assert "b responded to 2 of 4 instructions (1 with two that differ, 1 without a response)" in message
    assert "incomplete: shared" in message and "incomplete: judged" in message


def test_all_are_compared_on_what_they_share(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        accounted = compared(*LACKING, incomplete="shared")
    assert [one.instruction for one in made(accounted)] == ["Say 1.", "Say 1."]
    dropped = [one.entry for one in accounted if not one.loaded]
    assert [(entry.reason, entry.facts["without"]) for entry in dropped] == [
        ("not every system responded", "b"),
        ("not every system responded", "b"),
        ("not every system responded", "a"),
    ]
    assert "b responded to 2 of 4" in caplog.text


def test_or_no_response_is_judged_as_one_of_no_text() -> None:
    pairs = made(compared(*LACKING, incomplete="judged"))
    assert len(pairs) == 8
    assert [one.texts[0] for one in pairs if one.subset == "b"] == ["b 1", "", "", "b 4"]
    assert [one.flawed for one in pairs if one.subset == "b"] == [{}, {"b": "missing"}, {"b": "ambiguous"}, {}]


def test_an_output_of_a_system_that_is_not_there_at_all_is_missing() -> None:
    with pytest.raises(PlumblineError, match=r"c responded to 0 of 2 instructions \(2 without a response\)"):
        compared(*ANSWERED, systems=("a", "c"))


# who responds


def test_models_respond_as_systems_of_their_names_and_what_they_decline_is_their_response() -> None:
    (one,) = stored(instance("Say 5."))
    benchmark = WithTexts(
        derive="with_texts", of="p", models=["mine"], step="s@w", written={"note": WrittenText("x", "s@w", "context")}
    )
    texts = {"mine": [text(one, "I cannot say that.", state="refused")], "note": [text(one, "A note.")]}
    (result,) = made(derive(benchmark, [one], texts=written(texts)))
    assert result.outputs == (Output("mine", "I cannot say that."),)
    assert result.context["note"] == ("A note.",)
