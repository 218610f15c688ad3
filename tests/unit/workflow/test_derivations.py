"""Derived benchmarks and steps: what is declared holds together, and says what is wrong where it does not."""

from __future__ import annotations

from typing import Any

import pytest
from changes import plain_of
from plumbline.asking.protocols import is_step
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.compose import checked
from plumbline.workflow.composing.nodes import behind
from plumbline.workflow.composing.prerequisites import prerequisites
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import setting


def with_benchmarks(papers: Resolved, step: dict[str, Any] | None = None, **benchmarks: Any) -> Resolved:
    plain = plain_of(papers, tables=False)
    plain["benchmark"] |= {name: {"derive": "with_texts"} | declared for name, declared in benchmarks.items()}
    return checked(plain | {"step": {**plain["step"], **(step or {})}})


LISTED = {"of": "demo", "written": {"checklist": {"model": "smollm2"}}}


def test_a_derived_benchmark_has_the_subsets_of_the_other_unless_it_names_some(papers: Resolved) -> None:
    made = with_benchmarks(papers, all=LISTED, one=LISTED | {"subsets": {"trap": ""}}, twice=LISTED | {"of": "all"})
    subsets = {name: list(made.config.benchmark[name].subsets) for name in ("all", "one", "twice")}
    assert subsets == {"all": list(papers.config.benchmark["demo"].subsets), "one": ["trap"], "twice": subsets["all"]}


def test_one_job_asks_a_model_for_all_that_is_taken_from_it(papers: Resolved) -> None:
    other = {"of": "demo", "written": {"reference": {"model": "smollm2"}, "answers": {**ANSWERS, "model": "gpt_4o"}}}
    made = with_benchmarks(papers, lists=LISTED, others=other)
    asked = {model: [name for name in asked if is_step(name)] for model, asked in made.asked["demo"].items()}
    assert {model: steps for model, steps in asked.items() if steps} == {
        "smollm2": ["write:checklist@plumbline", "write:reference@plumbline"],
        "gpt_4o": ["write:response@construct_short"],
    }
    written = setting(made, "made.others.written")
    assert {name: text["becomes"] for name, text in written.items()} == {"reference": "context", "answers": "output"}


ANSWERS = {"step": "response@construct_short"}


def test_who_judges_and_writes_about_a_benchmark_does_both_in_one_job(papers: Resolved) -> None:
    plain = plain_of(papers)
    plain["benchmark"]["lists"] = {"derive": "with_texts"} | LISTED
    made, judged = checked(plain), papers.asked["demo"]["smollm2"].keys()
    assert made.asked["demo"]["smollm2"].keys() == judged | {"write:checklist@plumbline"}
    assert setting(made, "replayed.verdicts.demo.smollm2")["asked"].keys() == judged
    assert setting(made, "replayed.texts.demo.smollm2")["asked"].keys() == {"write:checklist@plumbline"}
    with pytest.raises(PlumblineError, match="nothing takes texts that 'length' states about 'demo'"):
        setting(made, "replayed.texts.demo.length")


def test_what_a_chain_of_benchmarks_stands_on_is_found(papers: Resolved) -> None:
    made = with_benchmarks(
        papers, lists=LISTED, twice={"of": "lists", "written": {"answers": {**ANSWERS, "model": "gpt_4o"}}}
    )
    assert {
        (one.benchmark, one.model, one.name)
        for node in behind(made.nodes, "twice")
        for one in prerequisites(made.nodes[node])
    } == {
        ("demo", "smollm2", "write:checklist@plumbline"),
        ("lists", "gpt_4o", "write:response@construct_short"),
    }


def test_a_changed_prompt_of_another_step_decides_nothing(papers: Resolved) -> None:
    made = with_benchmarks(papers, lists=LISTED)
    plain = plain_of(made)
    plain["prompts"]["plumbline"]["templates"]["response"]["max_tokens"] += 1
    assert setting(checked(plain), "asked.demo") == setting(made, "asked.demo")
    plain["prompts"]["plumbline"]["templates"]["checklist"]["max_tokens"] += 1
    assert setting(checked(plain), "asked.demo") != setting(made, "asked.demo")


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"of": "dmo"}, "did you mean 'demo'"),
        ({"written": {}}, "names no text"),
        ({"written": {"checklists": {"model": "smollm2"}}}, "did you mean 'checklist'"),
        ({"written": {"checklist": {"model": "smollm"}}}, "did you mean 'smollm2'"),
        (
            {"written": {"checklist": {"model": "smollm2", "step": "checklist@construct"}}},
            "no template for 'checklist'",
        ),
        ({"written": {"checklist": {"model": "smollm2", "sample": 1}}}, "no such sample"),
        ({"subsets": {"trapp": ""}}, "did you mean 'trap'"),
        ({"of": "mine"}, "derived from itself"),
        ({"derive": "with_txts"}, "did you mean 'with_texts'"),
        ({"text": "reference"}, "unknown key 'text'"),
    ],
)
def test_a_benchmark_that_cannot_be_derived_is_refused_before_anything_runs(
    papers: Resolved, declared: dict[str, Any], message: str
) -> None:
    with pytest.raises(PlumblineError, match=message):
        with_benchmarks(papers, mine=LISTED | declared)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"program": "checklst"}, "did you mean 'checklist'"),
        ({"program": "compare"}, "the program 'compare' writes no texts"),
        ({"program": "checklist", "samples": 2}, "at temperature 0 all samples are the same text"),
    ],
)
def test_a_step_that_cannot_be_asked_for_is_refused(papers: Resolved, step: dict[str, Any], message: str) -> None:
    with pytest.raises(PlumblineError, match=message):
        with_benchmarks(papers, {"mine": {"title": "Mine", **step}})


def test_rated_examples_are_of_a_question_that_is_answered_with_numbers(papers: Resolved) -> None:
    examples = {"derive": "rated_examples", "question": "rating", "count": 3}
    made = with_benchmarks(papers, more={"of": "risum_embedded_random", **examples})
    assert setting(made, "made.more.count") == 3
    with pytest.raises(PlumblineError, match="did you mean 'rating'"):
        with_benchmarks(papers, more={"of": "risum_embedded", **examples, "question": "ratings"})
    with pytest.raises(PlumblineError, match="'follows' is not known"):
        with_benchmarks(papers, more={"of": "risum_embedded", **examples, "question": "follows"})


def test_a_step_can_be_asked_for_in_another_way_under_another_name(papers: Resolved) -> None:
    step = {"drawn": {"program": "checklist", "title": "Drawn", "temperature": 0.7, "samples": 2}}
    made = with_benchmarks(papers, step, mine=LISTED | {"written": {"drawn": {"model": "smollm2", "sample": 1}}})
    settings = made.asked["demo"]["smollm2"]["write:drawn@plumbline"]
    assert (settings["options"]["program"], settings["options"]["samples"]) == ("checklist", 2)
