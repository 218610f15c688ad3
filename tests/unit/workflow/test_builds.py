"""Sets that are built together: in which parts of a build which model is asked for what, and how often it is loaded."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from changes import plain_of
from plumbline.config.typed import without
from plumbline.derive.asked import FILTERING, PERTURBING, WRITING
from plumbline.records.errors import PlumblineError
from plumbline.workflow.behind import behind
from plumbline.workflow.builds import Build, Place, builds, finished
from plumbline.workflow.composing import checked
from plumbline.workflow.resolved import Resolved

FILTER = {"evaluators": {"smollm2": ["vanilla", "likelihood"], "length": ["longer"]}}
SETS: dict[str, dict[str, Any]] = {
    "near": {"strategy": "neighbor", "embedder": "minilm", "first": "smollm2"},
    "changed": {"strategy": "gptinst", "perturb": "smollm2", "first": "smollm2", "second": "smollm2"},
    "useless": {"strategy": "gptout", "first": "smollm2", "second": "smollm2"},
}


def together(papers: Resolved, **sets: dict[str, Any]) -> Resolved:
    common = {"title": "", "pools": ["demo"], "prompts": "construct_short", "filter": FILTER}
    plain = plain_of(papers)
    plain["construct"] |= {name: common | declared for name, declared in (SETS | sets).items()}
    plain["benchmark"]["trio"] = {"loader": "construct", "subsets": {name: name for name in SETS}}
    return checked(plain)


def build(papers: Resolved) -> Build:
    return builds(together(papers).config)["trio"]


def test_three_sets_and_a_judge_load_a_writer_and_judge_four_times(papers: Resolved) -> None:
    """Perturb, write, evaluate, judge; built apart it was loaded for each text and each filter of each set."""
    made = together(papers)
    jobs = {of for of, models in made.asked.items() if of.startswith("trio/") and "smollm2" in models}
    assert jobs == {"trio/perturbing", "trio/writing", "trio/filtering"}, "and the fourth judges what was built"


def test_what_others_are_written_about_comes_first(papers: Resolved) -> None:
    made = build(papers)
    assert made.steps(PERTURBING) == {"smollm2": {"write:perturbed@construct_short": ["changed"]}}
    assert made.steps(WRITING) == {
        "smollm2": {
            "write:response@construct_short": ["near", "changed", "changed/changed", "useless"],
            "write:unhelpful@construct_short": ["useless"],
        }
    }


def test_a_set_by_itself_is_a_build_of_its_own(papers: Resolved) -> None:
    made = builds(together(papers).config)
    assert list(made["near"].sets) == ["near"] and made["near"].steps(PERTURBING) == {}
    assert made["near"].place("near").home == "results/construct/near"
    assert made["trio"].place("near").home == "results/construct/trio/near"
    for text in ("near", "trio/near"):
        assert Place.parse(text).home == f"results/construct/{text}"


def test_evaluators_are_asked_about_the_sets_that_name_them_only(papers: Resolved) -> None:
    made = together(papers, useless=SETS["useless"] | {"filter": {"evaluators": {"smollm2": ["vanilla"]}}})
    asked = made.asked[f"trio/{FILTERING}"]
    subsets = {(model, name): options["subsets"] for model, named in asked.items() for name, options in named.items()}
    assert subsets == {
        ("smollm2", "vanilla@plumbline"): ["near", "changed", "useless"],
        ("smollm2", "likelihood"): ["near", "changed"],
        ("length", "longer"): ["near", "changed"],
    }


def test_a_finished_set_is_that_of_its_own_build(papers: Resolved) -> None:
    config = papers.config
    both = builds(config)["demo_built"]
    assert finished(both, config, "demo_negation") == "results/construct/demo_built/demo_negation/unreviewed.parquet"
    assert finished(builds(config)["demo_normal"], config, "demo_negation/unreviewed") == (
        "results/construct/demo_negation/unreviewed.parquet"
    )


def test_a_benchmark_named_like_a_set_is_refused(papers: Resolved) -> None:
    plain = plain_of(papers)
    plain["benchmark"]["demo_gptout"] = {"loader": "construct", "subsets": {"a": "demo_gptout"}}
    with pytest.raises(PlumblineError, match="both called 'demo_gptout'"):
        checked(plain).get("asking.demo_gptout/writing")


def test_all_that_a_build_stands_on_is_known_before_it_is_built(papers: Resolved) -> None:
    asked = Counter((one.benchmark, one.model) for one in behind(together(papers).config, "trio"))
    assert asked == {
        ("trio/perturbing", "smollm2"): 1,
        ("trio/writing", "smollm2"): 2,
        ("trio/filtering", "smollm2"): 2,
        ("trio/filtering", "length"): 1,
    }


def test_what_does_not_decide_the_texts_asks_for_no_new_ones(papers: Resolved) -> None:
    stricter = {"filter": FILTER | {"majority": 0.9}, "alike": 0.5, "title": "New"}
    changed = together(papers, useless=SETS["useless"] | stricter)
    for key in ("asking", "asked"):
        before = {name: value for name, value in together(papers).get(key).items() if "/" in name}
        assert before == {name: changed.get(key)[name] for name in before}
    assert without(changed.get("making.useless"), "filtered", "candidates", "card", "sheet") == without(
        together(papers).get("making.useless"), "filtered", "candidates", "card", "sheet"
    )
