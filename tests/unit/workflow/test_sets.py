"""Declarations of sets: what each stage depends on, and which of them wait."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from changes import plain_of, refused, with_values
from plumbline.derive.neighbours import nearest_below
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.compose import checked
from plumbline.workflow.composing.resolved import Resolved
from plumbline.workflow.context import Context
from plumbline.workflow.read import Read
from plumbline.workflow.sets import Sets
from plumbline.workflow.settings import Settings
from rebuilt import CONFIG, setting

ADDED = {"title": "", "strategy": "addition", "size": 1}
NEIGHBOR = {"strategy": "neighbor", "size": 0, "pools": ["demo"], "embedder": "minilm"}
WAITING = ["alpaca", "alpaca_farm", "dolly", "no_robots", "open_assistant", "sharegpt"]


def run_of(resolved: Resolved) -> Context:
    return Context(resolved, Settings(resolved).get)


def with_set(papers: Resolved, **declared: Any) -> Resolved:
    plain = plain_of(papers, tables=False)
    plain["construct"] |= {"mine": ADDED | declared}
    return checked(plain)


def changed_nodes(papers: Resolved, name: str, **changes: Any) -> set[str]:
    """The steps of a set's chain that are made otherwise, and what else is told of it."""
    sets = papers.config.construct
    other = Resolved(replace(papers.config, construct={**sets, name: replace(sets[name], **changes)}))
    keys = [f"made.{node}" for node in papers.builds[name].nodes] + [f"card.{name}", f"sheet.{name}"]
    return {key.rpartition("/")[2] for key in keys if setting(papers, key) != setting(other, key)}


def test_a_changed_filter_asks_for_no_new_texts(papers: Resolved) -> None:
    stricter = replace(papers.config.construct["demo_gptinst"].filter, majority=0.7)
    assert changed_nodes(papers, "demo_gptinst", filter=stricter) == {"filtered"}


def test_a_set_may_name_a_filter_that_several_sets_share(papers: Resolved) -> None:
    made = with_set(papers, **NEIGHBOR, filter="alpaca_farm")
    assert made.config.construct["mine"].filter == papers.config.filter["alpaca_farm"]
    (asked,) = made.asked["mine/evaluate"].values()
    assert sorted(asked) == [f"alpaca_farm_{number}@alpaca_farm" for number in (1, 2, 3, 4)]
    assert setting(made, "made.mine/filtered.reading") == "as_published"


def test_a_shared_filter_is_checked_though_no_set_names_it(papers: Resolved) -> None:
    message = refused(papers, {"filter.alpaca_farm.evaluators": {"smollm2": ["alpaca_farm_5"]}})
    assert "filter.alpaca_farm.evaluators.smollm2" in message and "did you mean 'alpaca_farm_" in message


@pytest.mark.parametrize("changed", [{"ceiling": 0.5}, {"floor": 0.5}])
def test_other_bounds_of_similarity_embed_nothing_again(papers: Resolved, changed: dict[str, float]) -> None:
    assert changed_nodes(papers, "demo_neighbor", **changed) == {"near"}


def test_a_changed_title_rebuilds_only_what_shows_it(papers: Resolved) -> None:
    assert changed_nodes(papers, "demo_gptout", title="New") == {"card.demo_gptout", "sheet.demo_gptout"}


@pytest.mark.parametrize("benchmark", ["demo_built", "again"])
def test_the_card_of_a_set_of_pairs_that_were_built_cites_what_these_were_made_of(
    papers: Resolved, benchmark: str
) -> None:
    again = {"derive": "paired_with", "of": "demo_built", "text": "reference"}
    given = {"construct.manual.benchmark": benchmark, "construct.manual.subsets": ["normal"]}
    card = setting(with_values(papers, {"benchmark.again": again, **given}), "card.manual")
    assert card["citations"] == [papers.config.source["demo_pool"].citation]


def test_pools_nobody_has_pinned_wait_and_say_how_to_pin_them(papers: Resolved) -> None:
    with pytest.raises(PlumblineError, match="run `plumbline pin alpaca`") as error:
        Read(run_of(papers)).source(SimpleNamespace(benchmark="pool/alpaca"))
    assert "pools that wait: " + ", ".join(WAITING) in str(error.value)


def test_every_source_is_pinned_by_digest_or_waits_without_one_made_up(papers: Resolved) -> None:
    for name, source in papers.config.source.items():
        if source.pins:
            for line in (CONFIG / "source" / source.pins).read_text().splitlines():
                assert re.fullmatch(r"[0-9a-f]{64}  \S.*", line), (name, line)
        assert source.licence and source.citation


def test_the_page_of_pools_names_each_with_its_state(papers: Resolved) -> None:
    page = (CONFIG.parent / "docs/benchmarks/pools.md").read_text()
    states = dict(re.findall(r"^\| `(\w+)` \| ([\w ]+?) \|", page, re.MULTILINE))
    sources = {name: papers.config.source[pool.source] for name, pool in papers.config.pool.items()}
    assert states == {
        name: "your own" if source.path else "pinned" if source.pins else "waiting" for name, source in sources.items()
    }


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (NEIGHBOR | {"pools": []}, "'neighbor' needs 'pools'"),
        ({"strategy": "gptinst", "size": 0, "pools": ["demo"], "second": "smollm2"}, "the key 'perturb' is missing"),
        (NEIGHBOR | {"pools": ["dmo"]}, "did you mean 'demo'"),
        (NEIGHBOR | {"first": "smollm"}, "did you mean 'smollm2'"),
        ({"first": "smollm2"}, "unknown key 'first'"),
        ({"strategy": "constraint", "pools": ["demo"], "structures": ["last_words"]}, "did you mean 'last_word'"),
        ({"filter": {"evaluators": {"smollm2": ["vanila"]}}}, "did you mean 'vanilla'"),
        ({"filter": "alpaca_frm"}, "construct.mine.filter(.|\\n)*did you mean 'alpaca_farm'"),
        ({"base": 11}, "at least 2 and at most 10"),
        (NEIGHBOR | {"ceiling": 0}, "ceiling(.|\\n)*above 0 and at most 1(.|\\n)*found:    0"),
        (NEIGHBOR | {"ceiling": -0.5}, "above 0 and at most 1"),
        (NEIGHBOR | {"ceiling": 1.5}, "above 0 and at most 1"),
        (NEIGHBOR | {"ceiling": float("nan")}, "above 0 and at most 1"),
        (NEIGHBOR | {"floor": 0.9}, "less than the ceiling, 0.9(.|\\n)*found:    0.9"),
        (NEIGHBOR | {"floor": 0.5, "ceiling": 0.4}, "construct.mine.floor(.|\\n)*less than the ceiling, 0.4"),
        (NEIGHBOR | {"floor": -0.5}, "at least 0 and at most 1"),
        ({"strategy": "gptin"}, "did you mean 'gptinst'"),
        ({"prompts": "llmbar"}, "'addition' is not known"),
        ({"filter": {"evaluators": {"gpt_4": ["metrics"]}, "wording": "llmbar"}}, "did you mean 'metrics\\+rules'"),
    ],
)
def test_a_set_that_cannot_be_built_is_refused_before_anything_runs(
    papers: Resolved, declared: dict[str, Any], message: str
) -> None:
    with pytest.raises(PlumblineError, match=message):
        with_set(papers, **declared)


def test_a_subset_that_the_benchmark_of_a_set_does_not_have_is_refused(papers: Resolved) -> None:
    plain = plain_of(papers, tables=False)
    plain["construct"] |= {"mine": {"title": "", "strategy": "manual", "benchmark": "llmbar", "subsets": ["manul"]}}
    with pytest.raises(PlumblineError, match=r"construct\.mine\.subsets(.|\n)*did you mean 'manual'"):
        checked(plain)


@pytest.mark.parametrize("ceiling", [-1.0, 0.0, 1e-9, 0.9, 1.0, 1.0001])
def test_a_ceiling_is_refused_at_once_exactly_where_the_job_would_refuse_it(papers: Resolved, ceiling: float) -> None:
    def refuses(ask: Callable[[], object]) -> bool:
        try:
            ask()
        except PlumblineError:
            return True
        return False

    at_once = refuses(lambda: with_set(papers, **NEIGHBOR, ceiling=ceiling))
    assert at_once == refuses(lambda: nearest_below(np.zeros((0, 3), np.float32), ceiling))


def test_an_unknown_set_in_an_experiment_is_named_with_the_nearest(papers: Resolved) -> None:
    experiment = replace(papers.config.experiment, construct=["demo_neighbour"])
    with pytest.raises(PlumblineError, match="did you mean 'demo_neighbor'"):
        Sets(run_of(Resolved(replace(papers.config, experiment=experiment)))).chosen()


def test_a_build_that_is_chosen_leaves_none_of_its_sets_to_be_built_alone(papers: Resolved) -> None:
    experiment = replace(papers.config.experiment, construct=["demo_*", "natural"])
    sets = Sets(run_of(Resolved(replace(papers.config, experiment=experiment))))
    assert [build.name for build in sets.chosen()] == ["demo_built", "natural"]
