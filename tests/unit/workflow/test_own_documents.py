"""Benchmarks of a user's own file: their subsets, and the rows that tables have of these, of systems and raters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from plumbline.config.tables import Pick
from plumbline.derive.derivations.with_texts import WithTexts
from plumbline.records.errors import PlumblineError
from plumbline.workflow.composing.compose import compose
from plumbline.workflow.composing.machine import Machine
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import CONFIG


def yours(
    folder: Path, subsets: Sequence[str | None] | None, more: str = "", experiment: str = "risum_yours"
) -> Resolved:
    """With a row of each of these subsets, of none where it is None; without a file where there are none."""
    file = folder / "documents.jsonl"
    if subsets is not None:
        rows = [{"document": "d"} | ({"subset": name} if name else {}) for name in subsets]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    people = f"benchmark.risum_yours.labelling.folder={folder / 'people'}"
    overrides = f"source.risum_yours_documents.path={file} {people} {more}"
    return compose(CONFIG, experiment, overrides=overrides, machine=Machine(0))


def test_subsets_are_those_that_the_file_names_in_its_order(tmp_path: Path) -> None:
    made = yours(tmp_path, ["news", "emails", "news"])
    for name in ("risum_yours_documents", "risum_yours_drawn", "risum_yours_instructions", "risum_yours"):
        assert list(made.nodes[name].subsets) == ["news", "emails"]
    assert list(made.table("risum_yours", "table1").rows) == ["news", "emails", "All"]


@pytest.mark.parametrize(
    ("rows", "subsets"),
    [
        (None, ["all"]),
        ([], ["all"]),
        ([None], ["all"]),
        (["emails", None], ["all", "emails"]),
        (["emails", "all", None], ["all", "emails"]),
    ],
)
def test_rows_that_name_no_subset_are_of_one_that_comes_first(
    tmp_path: Path, rows: list[str | None] | None, subsets: list[str]
) -> None:
    assert list(yours(tmp_path, rows).nodes["risum_yours_documents"].subsets) == subsets


def test_a_file_that_cannot_be_read_stops_no_run_that_is_about_others(tmp_path: Path) -> None:
    (tmp_path / "documents.jsonl").write_text("not JSON")
    assert list(yours(tmp_path, None).nodes["risum_yours_documents"].subsets) == ["all"]


def test_without_the_file_all_cells_wait_and_say_where_it_goes(tmp_path: Path) -> None:
    made = yours(tmp_path, None)
    for name in ("table1", "table3a", "table4"):
        waiting = made.waiting("risum_yours", name)
        assert waiting and all(any("documents.jsonl" in lack.what for lack in lacks) for lacks in waiting.values())


def test_columns_are_of_the_systems_that_the_experiment_names(tmp_path: Path) -> None:
    made = yours(tmp_path, ["a"], "experiment.systems=[smollm2,llama31_8b_instruct]")
    columns = made.table("risum_yours", "table3a").columns
    assert {name: pick.options for name, pick in columns.items()} == {
        "SmolLM2-135M": {"systems": ["smollm2"]},
        "Llama-3.1-8B-Instruct": {"systems": ["llama31_8b_instruct"]},
    }


def test_a_system_may_be_a_model_that_is_asked_in_a_way_of_its_own(tmp_path: Path) -> None:
    ways = "smollm2,smollm2/response_at_1,smollm2/response@documents_sentence"
    made = yours(tmp_path, ["a"], f"experiment.systems=[{ways}]")
    responses = made.nodes["risum_yours"]
    assert isinstance(responses, WithTexts)
    assert {name: text.step for name, text in responses.written.items() if text.becomes == "output"} == {
        "smollm2": "write:response@documents",
        "smollm2/response_at_1": "write:response_at_1@documents",
        "smollm2/response@documents_sentence": "write:response@documents_sentence",
    }
    assert "SmolLM2-135M/response_at_1" in made.table("risum_yours", "table3b").columns


def test_an_unknown_model_or_step_of_a_system_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match="did you mean 'smollm2'"):
        yours(tmp_path, ["a"], "experiment.systems=[smolm2/response]")
    with pytest.raises(PlumblineError, match="'respond'"):
        yours(tmp_path, ["a"], "experiment.systems=[smollm2/respond]")


def test_raters_have_rows_by_number_once_they_have_begun(tmp_path: Path) -> None:
    assert list(yours(tmp_path, ["a"]).table("risum_yours", "figure4").rows) == ["Each rater"], "nobody has begun"
    for number in ("1", "2", "10", "agreed"):
        (tmp_path / "people").mkdir(exist_ok=True)
        (tmp_path / f"people/{number}.jsonl").write_text("")
    rows = yours(tmp_path, ["a"]).table("risum_yours", "figure4").rows
    assert {name: row.options["rater"] for name, row in rows.items()} == {"1": "1", "2": "2", "10": "10"}


def test_in_other_experiments_a_row_for_each_is_one_row_for_all(tmp_path: Path) -> None:
    columns = yours(tmp_path, ["a"], experiment="papers").table("risum_yours", "table3a").columns
    assert columns == {"Each system": Pick()}


def test_the_writers_of_the_pilot_are_the_systems_of_its_experiment(tmp_path: Path) -> None:
    made = yours(tmp_path, ["a"], "experiment.systems=[smollm2,gpt_4_turbo]", experiment="risum_yours_pilot")
    assert list(made.table("risum_yours_pilot", "writers").rows) == ["SmolLM2-135M", "GPT-4-Turbo"]
    assert set(made.asked["risum_yours_pilot_documents"]["gpt_4_turbo"]) == {"write:instructions@documents"}


def test_people_may_write_the_instructions(tmp_path: Path) -> None:
    made = yours(tmp_path, ["a"], "benchmark.risum_yours.of=risum_yours_given")
    assert made.nodes["risum_yours"].parents == ["risum_yours_given"]
    assert list(made.table("risum_yours", "table1").rows) == ["a", "All"]
