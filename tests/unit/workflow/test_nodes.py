"""Sets that are built together: in which parts of a build which model is asked for what, and how often it is loaded."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from changes import plain_of
from plumbline.derive.chain import EVALUATE, PERTURB, WRITE, Build, SetPlace
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.compose import checked
from plumbline.workflow.composing.nodes import behind
from plumbline.workflow.composing.prerequisites import prerequisites
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import setting

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
    plain["benchmark"]["trio"] = {"derive": "together", "subsets": {name: name for name in SETS}}
    return checked(plain)


def build(papers: Resolved) -> Build:
    return together(papers).builds["trio"]


def test_three_sets_and_a_judge_load_a_writer_and_judge_four_times(papers: Resolved) -> None:
    """Perturb, write, evaluate, judge; built apart it was loaded for each text and each filter of each set."""
    made = together(papers)
    jobs = {of for of, models in made.asked.items() if of.startswith("trio/") and "smollm2" in models}
    assert jobs == {"trio/perturb", "trio/write", "trio/evaluate"}, "and the fourth judges what was built"


def about(resolved: Resolved, benchmark: str) -> dict[str, list[str]]:
    """By step the subsets that the writer is asked about."""
    return {name: entry["subsets"] for name, entry in resolved.asked[benchmark]["smollm2"].items()}


def test_what_others_are_written_about_comes_first(papers: Resolved) -> None:
    made = together(papers)
    assert about(made, f"trio/{PERTURB}") == {"write:perturbed@construct_short": ["changed"]}
    assert about(made, f"trio/{WRITE}") == {
        "write:response@construct_short": ["near", "changed", "changed/changed", "useless"],
        "write:unhelpful@construct_short": ["useless"],
    }


def test_a_set_by_itself_is_a_build_of_its_own(papers: Resolved) -> None:
    made = together(papers).builds
    assert list(made["near"].sets) == ["near"] and PERTURB not in made["near"].levels
    assert made["near"].place("near").path == "near"
    assert made["trio"].place("near").path == "trio/near"
    for text in ("near", "trio/near"):
        assert SetPlace.parse(text).path == text


def test_evaluators_are_asked_about_the_sets_that_name_them_only(papers: Resolved) -> None:
    made = together(papers, useless=SETS["useless"] | {"filter": {"evaluators": {"smollm2": ["vanilla"]}}})
    asked = made.asked[f"trio/{EVALUATE}"]
    subsets = {(model, name): options["subsets"] for model, named in asked.items() for name, options in named.items()}
    assert subsets == {
        ("smollm2", "vanilla@plumbline"): ["near", "changed", "useless"],
        ("smollm2", "likelihood"): ["near", "changed"],
        ("length", "longer"): ["near", "changed"],
    }


def test_a_finished_set_is_that_of_its_own_build(papers: Resolved) -> None:
    nodes = papers.nodes
    assert nodes["demo_built/demo_normal/pairs"].parents == ["demo_built/demo_negation/unreviewed"]
    assert nodes["demo_normal/pairs"].parents == ["demo_negation/unreviewed"]


def test_a_benchmark_named_like_a_set_is_refused(papers: Resolved) -> None:
    plain = plain_of(papers)
    plain["benchmark"]["demo_gptout"] = {"derive": "together", "subsets": {"a": "demo_gptout"}}
    with pytest.raises(PlumblineError, match="both called 'demo_gptout'"):
        checked(plain)


def test_all_that_a_build_stands_on_is_known_before_it_is_built(papers: Resolved) -> None:
    nodes = together(papers).nodes
    asked = Counter((one.benchmark, one.model) for node in behind(nodes, "trio") for one in prerequisites(nodes[node]))
    assert asked == {
        ("trio/perturb", "smollm2"): 2,  # for the changed instruction, and for the pair that names it
        ("trio/write", "smollm2"): 5,
        ("trio/evaluate", "smollm2"): 6,
        ("trio/evaluate", "length"): 3,
        ("pool/demo", "minilm"): 1,
    }


def test_what_does_not_decide_the_texts_asks_for_no_new_ones(papers: Resolved) -> None:
    stricter = {"filter": FILTER | {"majority": 0.9}, "alike": 0.5, "title": "New"}
    before_it, after = together(papers), together(papers, useless=SETS["useless"] | stricter)
    assert {name: asked for name, asked in before_it.asked.items() if "/" in name} == {
        name: asked for name, asked in after.asked.items() if "/" in name
    }
    changed = {name for name in before_it.nodes if setting(before_it, f"made.{name}") != setting(after, f"made.{name}")}
    home = {"trio/useless", "useless"}
    assert changed == {f"{place}/{stage}" for place in home for stage in ("screened", "filtered")}


def test_a_set_cannot_be_called_like_a_level_of_its_build(papers: Resolved) -> None:
    with pytest.raises(PlumblineError, match="a set cannot be called 'write'"):
        together(papers, write=SETS["useless"])


@pytest.mark.parametrize(
    ("benchmarks", "message"),
    [
        ({"one": {"derive": "paired_with", "of": "one", "text": "reference"}}, "derived from itself"),
        (
            {
                "one": {"derive": "together", "subsets": {"a": "two"}},
                "two": {"derive": "paired_with", "of": "one", "text": "reference"},
            },
            "made of itself(.|\n)*one of two",
        ),
        ({"one": {"derive": "together", "subsets": {"a": "nobody"}}}, "'nobody' is not known(.|\n)*benchmark.one"),
        ({"one": {"derive": "turned", "of": "nobody"}}, "'nobody' is not known(.|\n)*benchmark.one.of"),
        ({"one": {"derive": "draw", "of": ["nobody"], "subsets": {"a": ""}}}, "'nobody' is not known(.|\n)*one.of"),
        ({"one": {"derive": "draw", "of": ["one"], "subsets": {"a": ""}}}, "made of itself(.|\n)*one of one"),
        (
            {"one": {"derive": "turned_back", "of": "demo", "plain": "demmo"}},
            "no benchmark is called 'demmo'(.|\n)*one",
        ),
        (
            {"one": {"derive": "turned", "of": "two"}, "two": {"derive": "turned", "of": "one"}},
            "derived from itself(.|\n)*benchmark",
        ),
        (
            {"one": {"derive": "turned_back", "of": "demo", "plain": "two"}, "two": {"derive": "turned", "of": "one"}},
            "made of itself(.|\n)*one of two of one",
        ),
        ({"one": {"derive": "together", "subsets": {"a": "demo", "b": "demo"}}}, "of the same instances, demo"),
    ],
)
def test_a_chain_that_leads_nowhere_or_back_to_itself_is_refused(
    papers: Resolved, benchmarks: dict[str, Any], message: str
) -> None:
    plain = plain_of(papers)
    plain["benchmark"] |= benchmarks
    with pytest.raises(PlumblineError, match=message):
        assert checked(plain).nodes


def test_two_benchmarks_of_one_file_are_refused(papers: Resolved) -> None:
    plain = plain_of(papers)
    plain["construct"]["pool"] = {"title": "", "strategy": "addition", "size": 1}
    plain["pool"]["unreviewed"] = plain["pool"]["demo"]
    with pytest.raises(PlumblineError, match=r"two benchmarks(.|\n)*results/instances/pool/unreviewed.parquet"):
        assert checked(plain).nodes


def test_a_protocol_that_a_derivation_names_without_its_wording_is_refused(papers: Resolved) -> None:
    plain = plain_of(papers)
    plain["benchmark"]["one"] = {"derive": "filter", "of": "demo", "evaluators": {"smollm2": ["vanilla"]}}
    with pytest.raises(
        PlumblineError, match=r"'vanilla' is not named with its wording(.|\n)*benchmark.one(.|\n)*@plumb"
    ):
        assert checked(plain).nodes
