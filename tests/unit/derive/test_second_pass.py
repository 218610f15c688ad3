"""What reviewers choose blind becomes labels of a benchmark, and their agreement a cell with an interval."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from changes import with_values
from plumbline.config.tables import Pick, Table
from plumbline.data.instances import identified, pair, write_instances
from plumbline.data.labelled import labelled
from plumbline.data.labels import BETTER, CHOICE, GOLD, Label, write_labels
from plumbline.data.ledger import KEPT, Entry
from plumbline.data.loaded import Accounted, Loaded, gold
from plumbline.derive.review import Decision, shown_digest
from plumbline.derive.second_pass import with_choices
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import Case
from plumbline.measuring.cells import Cell
from plumbline.measuring.table import Measuring
from plumbline.people.pairs_desk import read_queue
from plumbline.workflow.composing.compose import compose
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import CONFIG

ALL = [pair(f"Say {number}.", "yes", "no", "natural" if number < 2 else "near", f"f#{number}") for number in range(5)]
LOADED = [Loaded(one, (replace(gold(1, ""), instance=one.id),)) for one in identified(ALL)]


def chosen(loaded: list[Loaded], decisions: list[Decision]) -> list[Loaded]:
    accounted = [Accounted(Entry(one.instance.origin, KEPT), (one,)) for one in loaded]
    return [loaded for one in with_choices(accounted, decisions) for loaded in one.loaded]


class Listed:
    def __init__(self, loaded: list[Loaded]) -> None:
        self.loaded = loaded

    def read(self, judges: object) -> list[Case]:
        return [Case(one.instance, one.labels, {}) for one in self.loaded]


def chose(one: Loaded, reviewer: str, choice: str) -> Decision:
    [shown] = labelled([one.instance], one.labels)
    return Decision(shown.id, shown_digest(shown), reviewer, "prefer", choice=choice)  # type: ignore[arg-type]


def agreement(decisions: list[Decision]) -> dict[str, Cell]:
    columns = {"NATURAL": Pick(subsets=["natural"]), "NEAR": Pick(subsets=["near"]), "ALL": Pick()}
    table = Table("us", "t", "T", "Us", columns, {"Reviewers": Pick()}, benchmark="mine", metrics=["same_choice"])
    cases = {"mine": Listed(chosen(LOADED, decisions))}
    made = Measuring(table, Bootstrap(1, 500, 0.95), cases).cells()
    return {cell.column: cell for cell in made if cell.reading == "as_published"}


def test_choices_are_labels_beside_the_gold_one_and_only_on_the_pair_as_it_is() -> None:
    stale = replace(chose(LOADED[2], "bo", "first"), shown="0" * 16, item="gone")
    result = chosen(LOADED, [chose(LOADED[0], "ada", "second"), stale])
    assert result[0].labels[1:] == (Label(LOADED[0].instance.id, "ada", CHOICE, None, "second", None),)
    assert all([(label.rater, label.question) for label in one.labels] == [(GOLD, BETTER)] for one in result[1:])


def test_choices_under_an_old_id_are_labels_of_every_pair_that_shows_the_same() -> None:
    old = replace(chose(LOADED[0], "ada", "second"), item="39fa6c3dbfa4b1f2")
    equal = Loaded(replace(LOADED[0].instance, id="again"), (replace(LOADED[0].labels[0], instance="again"),))
    result = chosen([*LOADED, equal], [old])
    by_old = [label.instance for one in result for label in one.labels if label.question == CHOICE]
    assert by_old == [LOADED[0].instance.id, "again"]


def test_choices_that_fit_no_pair_are_named(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("WARNING"):
        chosen(LOADED, [replace(chose(LOADED[2], "bo", "first"), shown="0" * 16, item="gone")])
    assert "1 choices fit no pair of today's and count for nothing: gone (bo)" in caplog.text


def test_agreement_is_the_share_of_pairs_on_which_two_choose_alike() -> None:
    ada = [chose(one, "ada", "first") for one in LOADED]
    bo = [chose(one, "bo", choice) for one, choice in zip(LOADED, ["first", "second", "first", "first"], strict=False)]
    result = agreement([*ada, *bo])
    assert [result[name].value for name in ("NATURAL", "NEAR", "ALL")] == [50.0, 100.0, 75.0]
    assert [result[name].n for name in ("NATURAL", "NEAR", "ALL")] == [2, 2, 4]
    low, high = result["ALL"].low, result["ALL"].high
    assert low is not None and high is not None and low < 75.0 < high
    assert "seen by one reviewer alone: 1" in result["ALL"].marks


@pytest.mark.parametrize("right", [0.95, 0.7])
def test_an_agreement_that_was_planted_is_found_again_by_its_intervals(right: float) -> None:
    """Two reviewers who are right so often, each for himself, agree where both are right or both are wrong."""
    true, worlds, inside, values = 100 * (right**2 + (1 - right) ** 2), 60, 0, []
    table = Table("us", "t", "T", "Us", {"ALL": Pick()}, {"R": Pick()}, benchmark="mine", metrics=["same_choice"])
    for world in range(worlds):
        random = Random(world)
        cases = []
        for number in range(120):
            answers = {name: "first" if random.random() < right else "second" for name in ("ada", "bo")}
            labels = [Label(f"{number}", name, CHOICE, None, word, None) for name, word in answers.items()]
            cases.append(Loaded(replace(ALL[0], id=f"{number}"), tuple(labels)))
        cell = Measuring(table, Bootstrap(world, 300, 0.95), {"mine": Listed(cases)}).cells()[0]
        assert cell.value is not None and cell.low is not None and cell.high is not None
        inside += cell.low <= true <= cell.high
        values.append(cell.value)
    assert inside >= 0.85 * worlds
    assert sum(values) / worlds == pytest.approx(true, abs=1.5)


def test_of_three_reviewers_every_two_count() -> None:
    answers = [chose(LOADED[0], name, choice) for name, choice in (("ada", "first"), ("bo", "first"), ("cy", "tie"))]
    assert agreement(answers)["NATURAL"].value == pytest.approx(100 / 3)


def test_a_benchmarks_instances_are_a_queue_to_choose_from(tmp_path: Path) -> None:
    for folder in ("instances", "labels"):
        (tmp_path / folder).mkdir()
    write_instances(tmp_path / "instances/mine.parquet", [one.instance for one in LOADED])
    write_labels(tmp_path / "labels/mine.parquet", [label for one in LOADED for label in one.labels])
    queue = read_queue(tmp_path / "instances/mine.parquet")
    assert [queued.pair.instance.subset for queued in queue[1:3]] == ["natural", "near"]
    assert all(queued.pair.gold == "first" for queued in queue)


def test_the_papers_agreement_waits_until_somebody_has_chosen() -> None:
    waiting = compose(CONFIG).waiting("llmbar", "agreement")
    assert "plumbline review results/instances/llmbar.parquet --blind" in str(waiting)
    chosen = compose(CONFIG, overrides="benchmark.llmbar.second_pass=[config/ada.jsonl]")
    assert not chosen.waiting("llmbar", "agreement")


def test_what_is_derived_waits_for_the_choices_on_what_it_is_made_of(papers: Resolved) -> None:
    more = {"derive": "with_texts", "of": "llmbar", "written": {"reference": {"model": "smollm2"}}}
    derived = {"benchmark.more": more, "table.llmbar.agreement.benchmark": "more"}
    waits = str(with_values(papers, derived).waiting("llmbar", "agreement"))
    assert "results/instances/llmbar.parquet --blind" in waits and "config/benchmark/llmbar.yaml" in waits
    chosen = with_values(papers, derived | {"benchmark.llmbar.second_pass": ["config/ada.jsonl"]})
    assert not chosen.waiting("llmbar", "agreement")
