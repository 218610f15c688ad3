"""A judge that has a method for each category: it says what that method says, in the orders in which it said it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from changes import refused
from hypothesis import given
from hypothesis import strategies as st
from plumbline.data.instances import Instance, Output
from plumbline.data.labels import BETTER
from plumbline.data.verdicts import NOTHING, PLAIN, SWAPPED, Outcome, Verdict
from plumbline.derive.derived_judge import Composed
from plumbline.derive.given import ById
from plumbline.derive.judges.by_category import by_category
from plumbline.models.engines.by_category import Method, Settings
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.compose import compose
from plumbline.workflow.composing.machine import Machine
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import CONFIG

METHODS = {
    "judge": Method("llm", "vanilla@w"),
    "guided": Method("llm", "guided@w"),
    "near": Method("encoder", "cosine"),
}
CATEGORIES = {"Open QA": "near", "Rewrite": "judge", "Extract": "guided"}
SETTINGS = Settings(kind="by_category", methods=METHODS, categories=CATEGORIES)
WORDS = ("first", "second", "tie")


def instance(number: int, category: str) -> Instance:
    outputs = (Output("a", f"a {number}"), Output("b", f"b {number}"))
    return Instance(f"i{number}", "all", f"Do {number}", outputs, {"category": (category,)} if category else {})


def said(about: Instance, protocol: str, showing: str, word: str, **more: Any) -> Verdict:
    outcome = Outcome(word) if word in WORDS else Outcome(missing=word)  # type: ignore[arg-type]
    return Verdict(about.id, protocol, BETTER, showing, outcome, outcome, **more)


def judged(
    instances: list[Instance], verdicts: Mapping[str, list[Verdict]], settings: Settings = SETTINGS
) -> list[Verdict]:
    by_model = {model: ById(rows) for model, rows in verdicts.items()}
    return list(by_category(instances, by_model, Composed(settings, ["composite"], {"llm": 0.0005, "encoder": None})))


words = st.sampled_from([*WORDS, "unparsed"])


@given(st.lists(st.tuples(st.sampled_from(sorted(CATEGORIES)), words, words, words, words, words), max_size=12))
def test_it_says_what_the_method_of_the_category_says_instance_by_instance(rows: list[tuple[str, ...]]) -> None:
    instances = [instance(number, row[0]) for number, row in enumerate(rows)]
    of_llm, of_encoder, expected = [], [], {}
    for one, (category, *five) in zip(instances, rows, strict=True):
        of_llm += [said(one, "vanilla@w", PLAIN, five[0]), said(one, "vanilla@w", SWAPPED, five[1])]
        of_llm += [said(one, "guided@w", PLAIN, five[2]), said(one, "guided@w", SWAPPED, five[3])]
        of_encoder.append(said(one, "cosine", NOTHING, five[4]))
        method = METHODS[CATEGORIES[category]]
        for verdict in (*of_llm, *of_encoder):
            if (verdict.instance, verdict.protocol) == (one.id, method.protocol):
                expected[one.id, verdict.showing] = str(verdict.strict)
    made = judged(instances, {"llm": of_llm, "encoder": of_encoder})
    assert {(one.instance, one.showing): str(one.strict) for one in made} == expected
    assert {one.protocol for one in made} <= {"composite"}


def test_a_verdict_keeps_what_is_known_of_it_and_names_its_method() -> None:
    one = instance(1, "Rewrite")
    theirs = said(one, "vanilla@w", PLAIN, "first", margin=0.2, gap=0.1, close=True, logprobs={"first": -0.1})
    (made,) = judged([one], {"llm": [theirs], "encoder": []})
    assert made == replace(theirs, protocol="composite", step="judge", derived_from=("better/plain",))


def test_only_preferences_are_taken() -> None:
    one = instance(1, "Open QA")
    scores = [replace(said(one, "cosine", shown, "tie"), question="similarity") for shown in ("1", "2")]
    made = judged([one], {"llm": [], "encoder": [*scores, said(one, "cosine", NOTHING, "second")]})
    assert [(each.question, each.strict.word) for each in made] == [("better", "second")]


def test_a_category_without_a_method_is_refused_with_its_count() -> None:
    instances = [instance(1, "Rewrite"), instance(2, "Poetry"), instance(3, "Poetry"), instance(4, "")]
    with pytest.raises(PlumblineError, match="3 instances are of a category that has no method") as error:
        judged(instances, {"llm": [], "encoder": []})
    message = str(error.value)
    assert "'Poetry': 2, none: 1" in message and "Open QA" in message and "otherwise" in message


def test_or_all_others_have_one_too() -> None:
    one = instance(1, "Poetry")
    settings = replace(SETTINGS, otherwise="near")
    (made,) = judged([one], {"llm": [], "encoder": [said(one, "cosine", NOTHING, "first")]}, settings)
    assert (made.step, made.strict.word) == ("near", "first")


# what it stands on


def test_its_cells_need_each_methods_verdicts_and_wait_for_what_these_lack() -> None:
    about, systems = "href_leaderboard", "experiment.systems=[smollm2]"
    asked = compose(CONFIG, about, overrides=systems, machine=Machine.with_all()).asked[about]
    assert set(asked["llama31_70b_instruct"]) == {"vanilla@href", "guided@href"}
    assert set(asked["roberta_large"]) == {"bertscore"}
    made = compose(CONFIG, about, overrides=systems, machine=Machine(0))
    lacks = {str(lack) for lack in made.waiting(about, "ranking")["SmolLM2-135M", "All", "win_rate"]}
    assert any("Llama-3.1-70B-Instruct takes 4 GPUs" in lack for lack in lacks)
    assert any("RoBERTa-Large" in lack for lack in lacks)


MAP = "engine.href_composite.categories"


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("engine.href_composite.categories.Brainstorm=alon", "did you mean 'alone'"),
        ("engine.href_composite.otherwise=rouge", "engine.href_composite.otherwise"),
        ("engine.href_composite.methods.alone.model=llama31_70b", "did you mean 'llama31_70b_instruct'"),
        ("engine.href_composite.methods.alone.protocol=vanila@href", "did you mean 'vanilla'"),
        ("engine.href_composite.methods.alone.protocol=vanilla", "not named with its wording"),
        ("engine.href_composite.methods.RoBERTa.protocol=vanilla@href", "cannot be asked with"),
        (f"{MAP}.Brainstorm=RoBERTa {MAP}.Summarize=RoBERTa", "no category has the method 'alone'"),
    ],
)
def test_a_map_that_does_not_hold_together_is_refused(papers: Resolved, override: str, message: str) -> None:
    assert message in refused(papers, override)
