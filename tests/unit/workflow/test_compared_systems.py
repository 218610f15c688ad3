"""Systems of an experiment: where they respond, which rows they get, and what they wait for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from plumbline.derive.derivations.with_texts import WithTexts
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.compose import compose
from plumbline.workflow.composing.machine import Machine
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import CONFIG

LEADERBOARD = "href_leaderboard"
PLACE = ("href_leaderboard", "ranking")


def ranking(*systems: str, more: str = "", machine: Machine | None = None) -> Resolved:
    overrides = f"experiment.systems=[{','.join(systems)}] {more}"
    return compose(Path(CONFIG), LEADERBOARD, overrides=overrides, machine=machine or Machine(0))


def test_each_system_responds_and_has_a_row_of_its_own_subset() -> None:
    made = ranking("smollm2", "llama31_8b_instruct")
    assert list(made.nodes[LEADERBOARD].subsets) == ["smollm2", "llama31_8b_instruct"]
    rows = made.table(*PLACE).rows
    assert {name: row.subsets for name, row in rows.items()} == {
        "SmolLM2-135M": ["smollm2"],
        "Llama-3.1-8B-Instruct": ["llama31_8b_instruct"],
    }
    responses = made.nodes["href_responses"]
    assert isinstance(responses, WithTexts)
    assert {text.step for text in responses.written.values()} == {"write:response@bare"}
    assert "write:response@bare" in made.asked["href_development"]["llama31_8b_instruct"]


def test_who_ranks_systems_asks_for_no_pairs_for_people() -> None:
    asked = ranking("smollm2").asked["href_development"]["smollm2"]
    assert set(asked) == {"write:response@bare"}
    pairs = compose(CONFIG, "href_agreement_yours", overrides="experiment.systems=[smollm2]", machine=Machine(0))
    assert set(pairs.asked["href_development"]["smollm2"]) == {"write:response_at_1@bare"}


def test_a_system_that_the_experiment_names_is_chosen_whatever_it_costs_or_needs() -> None:
    made = ranking("gpt_4_turbo", "llama31_70b_instruct")
    assert "href_responses" not in made.waiting_systems


def test_other_experiments_have_none_of_them() -> None:
    made = compose(Path(CONFIG), "papers", machine=Machine(0))
    assert made.nodes[LEADERBOARD].subsets == {}


def test_without_systems_there_is_nothing_to_rank() -> None:
    with pytest.raises(PlumblineError, match="compares systems, and none is named"):
        compose(Path(CONFIG), LEADERBOARD)


def test_a_system_of_an_experiment_that_compares_none_is_refused() -> None:
    with pytest.raises(PlumblineError, match="no table of the experiment compares systems"):
        compose(Path(CONFIG), "demo", overrides="experiment.systems=[smollm2]")


def test_an_unknown_system_is_named_with_the_nearest() -> None:
    with pytest.raises(PlumblineError, match="did you mean 'smollm2'"):
        ranking("smolm2")


def test_the_baseline_may_be_compared_with_itself_and_is_asked_nothing() -> None:
    made = ranking("Llama-3.1-405B-Instruct-FP8", "smollm2")
    assert list(made.nodes[LEADERBOARD].subsets) == ["Llama-3.1-405B-Instruct-FP8", "smollm2"]
    responses = made.nodes["href_responses"]
    assert isinstance(responses, WithTexts) and list(responses.written) == ["smollm2"]


# systems that cannot respond


ROW = "++table.href_leaderboard.ranking.rows.Llama.subsets"
DECLARED = "++benchmark.href_responses.models=[llama31_8b_instruct,smollm2]"


def test_a_system_that_lacks_something_is_left_out_and_its_row_says_what() -> None:
    made = ranking(
        "smollm2", more=f"{DECLARED} ++table.href_leaderboard.ranking.rows.Llama.subsets=[llama31_8b_instruct]"
    )
    (lacks,) = made.waiting_systems["href_responses"].values()
    assert lacks[0].kind in ("weights", "data")
    assert list(made.nodes[LEADERBOARD].subsets) == ["smollm2"]
    responses = made.nodes["href_responses"]
    assert isinstance(responses, WithTexts) and list(responses.written) == ["smollm2"]
    waiting = made.waiting(*PLACE)
    assert any("Llama-3.1-8B" in lack.what for lack in waiting["Llama", "All", "win_rate"])
    assert not any("Llama-3.1-8B" in lack.what for lack in waiting["SmolLM2-135M", "All", "win_rate"])


def test_a_system_whose_job_failed_is_left_out_too() -> None:
    failed = {"results/texts/href_development/smollm2.parquet": "ask smollm2: out of memory"}
    made = ranking("smollm2", "gpt_4_turbo", machine=replace(Machine(0), undone=failed))
    assert list(made.nodes[LEADERBOARD].subsets) == ["gpt_4_turbo"]
    assert {lack.kind for lack in made.waiting(*PLACE)["SmolLM2-135M", "All", "win_rate"]} >= {"failed"}


def test_pairs_for_people_rest_on_all_systems_and_say_that_one_failed() -> None:
    failed = {
        "results/texts/href_development/smollm2.parquet": "ask smollm2: out of memory",
        "results/instances/href_pool.parquet": "ask smollm2: out of memory",
    }
    machine = replace(Machine(0), undone=failed)
    made = compose(
        CONFIG, "href_agreement_yours", overrides="experiment.systems=[smollm2,gpt_4_turbo]", machine=machine
    )
    lacks = made.lacking.of_benchmark("href_agreement_yours")
    assert [lack.kind for lack in lacks if "out of memory" in lack.what] == ["failed"]


def test_subsets_of_a_comparison_are_its_systems_and_nothing_else() -> None:
    with pytest.raises(PlumblineError, match="the systems are the subsets"):
        ranking("smollm2", more="++benchmark.href_leaderboard.subsets.all=one")


def test_a_comparison_is_of_what_systems_respond_to() -> None:
    with pytest.raises(PlumblineError, match="a benchmark that they respond to"):
        ranking("smollm2", more="++benchmark.href_leaderboard.of=href_development")


# printed rows beside them


def test_the_papers_printed_rows_stand_below_and_are_no_rows_of_the_table() -> None:
    shown = ranking("smollm2").shown(*PLACE)
    assert list(shown.rows) == ["SmolLM2-135M"]
    beside = shown.printed_beside
    assert beside is not None and len(beside.rows) == 33
    assert beside.columns == ["Rank", "Brn", "OQA", "CQA", "Ext", "Gen", "Rew", "Sum", "Cls", "All"], (
        "SE is not printed"
    )
    assert beside.rows["gpt-4o-2024-05-13"][:3] == ["1", "58.3", "82.8"]


def test_a_table_is_shown_beside_one_that_is_declared() -> None:
    with pytest.raises(PlumblineError, match="did you mean 'href/table6'"):
        ranking("smollm2", more="table.href_leaderboard.ranking.beside=href/table_6")


def test_who_has_the_hidden_set_ranks_on_its_eleven_categories_beside_table_5() -> None:
    place = ("href_leaderboard", "hidden")
    made = compose(
        Path(CONFIG), "href_hidden_leaderboard", overrides="experiment.systems=[smollm2]", machine=Machine(0)
    )
    assert "write:response@bare" in made.asked["href_evaluation"]["smollm2"]
    shown = made.shown(*place)
    assert list(shown.rows) == ["SmolLM2-135M"]
    assert sum(bool(column.where) for column in shown.columns.values()) == 11
    beside = shown.printed_beside
    assert beside is not None and len(beside.rows) == 37 and len(beside.columns) == 13
    assert beside.rows["Llama-3.1-70B-Instruct"][0] == "1"
