"""Every printed cell would come out if data and models were there, what is planted is found, and nothing looks real."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
import pytest
from plumbline.data.instances import read_instances
from plumbline.data.planted import MOST, categories_in, is_good, needs, on_scale, worths
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cells import Cell
from plumbline.measuring.measures.distances import binned
from plumbline.measuring.raters import FIRST, SECOND, TIE
from plumbline.measuring.waiting import read_waiting
from plumbline.models.engines.rehearsed import ASKED, least_worth
from plumbline.workflow.rehearsing.layouts.rows import QUESTIONS
from plumbline.workflow.rehearsing.plan import EACH, RIGHT, WINS
from plumbline.workflow.rehearsing.rehearsed import AGREE, AGREEMENT
from rehearsing import PERMUTED, Rehearsal
from scipy import stats

WORDS = ("csv", "md", "tex", "html")


# every cell


def printed(rehearsal: Rehearsal) -> Iterator[tuple[str, Cell]]:
    for table in rehearsal.tables:
        yield from ((table, cell) for cell in rehearsal.cells(table).values() if cell.paper is not None)


def test_every_printed_cell_holds_a_number_or_waits_for_a_program_alone(planted: Rehearsal) -> None:
    waiting = read_waiting(planted.folder / "results")
    for table, cell in printed(planted):
        if cell.status == "waiting":
            lacks = waiting[table][cell.place]
            assert lacks and all(lack.kind == "program" for lack in lacks), (table, cell.place, lacks)
        else:
            assert cell.status == "rehearsed" and cell.value is not None, (table, cell.place, cell.reason)


def test_nothing_printed_waits_for_a_program(planted: Rehearsal) -> None:
    assert {table for table, cell in printed(planted) if cell.status == "waiting"} == set()


# what is planted


class Truth(NamedTuple):
    """What a cell would be of endlessly many instances."""

    table: str
    row: str
    column: str
    value: float
    metric: str = ""


def two_right(one: float, other: float) -> float:
    """How often two who are right so often say the same of two outcomes."""
    return one * other + (1 - one) * (1 - other)


def most_of(number: int) -> float:
    """How often the majority of so many people is right, where there is one."""
    right, wrong = (yes_of_most(number, each) for each in (RIGHT, 1 - RIGHT))
    return right / (right + wrong)


def yes_of_most(number: int, each: float) -> float:
    """How often most of so many people say yes, each of whom does so often."""
    return float(stats.binom.sf(number // 2, number, each))


def preferred_by_most(number: int) -> tuple[float, float]:
    """How often the mean preference of so many people is on the right side of a tie, and how often on the wrong one.

    Each is on the right side as often as `RIGHT`, and says either degree of it as often.
    """
    said = {1: RIGHT / 2, 2: RIGHT / 2, 4: (1 - RIGHT) / 2, 5: (1 - RIGHT) / 2}
    sides = {FIRST: 0.0, TIE: 0.0, SECOND: 0.0}
    for values in product(said, repeat=number):
        sides[binned(sum(values) / number)] += math.prod(said[value] for value in values)
    return sides[FIRST], sides[SECOND]


def pass_rates_correlated(least: int, right: float, wrong: float, *lengths: tuple[int, int]) -> float:
    """Pearson's correlation of the pass rates by two checklists, each with as many questions, of responses worth so
    much at least; a question is answered yes so often where the response does what it needs, and where it does not."""
    needs_met = np.arange(least + 1, MOST + 1) / MOST
    rates = needs_met * right + (1 - needs_met) * wrong
    noise = float(np.mean(rates * (1 - rates)))
    own = (float(rates.var()) + noise * fmean(1 / length for length in range(low, high + 1)) for low, high in lengths)
    return float(rates.var()) / math.sqrt(math.prod(own))


def scores(least: int, agreement: float, answers: int) -> tuple[Floats, Floats]:
    """How often simulated raters give each of so many answers about responses worth so much at least: those who see
    what it is worth, and all. Two both see it as often as they agree; who does not, says what any would be worth."""
    seen, any_worth = (
        np.bincount([on_scale(worth, 0, answers - 1) for worth in range(low, MOST)], minlength=answers) / (MOST - low)
        for low in (least, 0)
    )
    return seen, math.sqrt(agreement) * seen + (1 - math.sqrt(agreement)) * any_worth


def alpha_of_scores(agreement: float) -> float:
    """Interval alpha of scores of Command-R+'s responses from 1 to 5. It is less than how far raters agree, as these
    responses are all worth half of what there is, or more: two who see it agree on what differs little."""
    seen, said = scores(least_worth("command_r_plus"), agreement, 5)
    of_seen, of_said = (float(chances @ np.arange(5) ** 2 - (chances @ np.arange(5)) ** 2) for chances in (seen, said))
    return agreement * of_seen / of_said


DIRECT, CHECKED = (alpha_of_scores(AGREE[question]) for question in ("direct_score", "checked_score"))
EFFECT = scores(least_worth("command_r_plus"), AGREEMENT, 3)[1]
BY_PEOPLE = pass_rates_correlated(0, yes_of_most(EACH, RIGHT), yes_of_most(EACH, 1 - RIGHT), QUESTIONS, QUESTIONS)
BY_GPT_4 = pass_rates_correlated(least_worth("command_r_plus"), RIGHT, 1 - RIGHT, ASKED, (3, 3))
BOTH_RIGHT, BOTH_WRONG = preferred_by_most(EACH)
ONE_ASK = ("Vanilla", "Vanilla*", "CoT*", "Metrics*", "Reference*", "Metrics+Reference*")
JUDGES = ("GPT4", "GPT4-Tb", "Llama-7B", "Llama-70B")
WRITERS = ("GPT-4o", "Command-R+")
WIDER = 3.29 / 1.96
LEFT_OUT = 100 * two_right(RIGHT, most_of(3))
PLANTED = [
    *(Truth("llmbar/table2", row, "AVERAGE", 100 * RIGHT, "acc") for row in ONE_ASK),
    *(Truth("llmbar/table2", row, "AVERAGE", 100 * two_right(RIGHT, RIGHT), "agr") for row in ONE_ASK),
    Truth("llmbar/agreement", "Two annotators", "ALL", 100 * two_right(RIGHT, RIGHT)),
    *(Truth("href/table1", row, "All", LEFT_OUT) for row in JUDGES),
    *(Truth("href/table1", f"{row} with human response", "All", LEFT_OUT) for row in JUDGES),
    Truth("href/table1", "Human", "All", LEFT_OUT),
    *(Truth("href/figure3", row, "Model response preferred", 100 * two_right(WINS, RIGHT)) for row in JUDGES),
    *(Truth("risum/table2", "Global", column, 100 * RIGHT**2) for column in ("Follows instruction?", "How well?")),
    *(Truth("tick/figure2", row, "Internal", two_right(RIGHT, most_of(4))) for row in ("No reasoning", "Reasoning")),
    *(Truth("tick/table7", row, "GPT-4o", RIGHT, "category_recall") for row in ("Internal", "InFoBench")),
    Truth("tick/table6", "Direct Scoring", "Inter-Annotator Agreement", DIRECT),
    Truth("tick/table6", "Check-then-Score", "Inter-Annotator Agreement", CHECKED),
    Truth("tick/table6", "Check-then-Score less Direct Scoring", "Inter-Annotator Agreement", CHECKED - DIRECT),
    *(
        Truth("tick/effect", row, "Share of answers", 100 * share)
        for row, share in zip(("Easier", "Harder", "No effect"), EFFECT, strict=True)
    ),
    Truth("tick/table2", "Alternative human", "Count MAE", 8 / 9),
    Truth("tick/figure5", "Human-written", "3", 100 / 3),
    Truth("tick/table4", "Preference", "Internal", RIGHT * BOTH_RIGHT + (1 - RIGHT) * BOTH_WRONG, "pld_0"),
    *(Truth("tick/table3", f"(a) Internal, {who}'s checklists", "Value", BY_PEOPLE) for who in WRITERS),
    *(Truth("tick/table3", f"(a) InFoBench, {who}'s checklists", "Value", BY_GPT_4) for who in WRITERS),
]


def cell_of(rehearsal: Rehearsal, truth: Truth) -> Cell:
    (cell,) = (
        cell
        for cell in rehearsal.cells(truth.table).values()
        if (cell.row, cell.column) == (truth.row, truth.column) and truth.metric in ("", cell.metric)
    )
    return cell


def holds(cell: Cell, value: float, wider: float = 1.0) -> bool:
    """Whether a value lies in a cell's interval, or in one so many times as wide."""
    assert cell.value is not None and cell.low is not None and cell.high is not None, cell
    return cell.value + wider * (cell.low - cell.value) <= value <= cell.value + wider * (cell.high - cell.value)


@pytest.mark.parametrize("truth", PLANTED, ids=lambda truth: f"{truth.table} {truth.row} {truth.metric}")
def test_what_is_planted_is_found(planted: Rehearsal, truth: Truth) -> None:
    """Within an interval that holds it 999 times in 1,000."""
    assert holds(cell_of(planted, truth), truth.value, WIDER)


def test_what_is_planted_lies_within_the_intervals_as_often_as_they_say(planted: Rehearsal) -> None:
    """Of 95 % intervals one in twenty may miss; more than five of these would in less than one in forty worlds."""
    missed = [truth for truth in PLANTED if not holds(cell_of(planted, truth), truth.value)]
    assert stats.binom.sf(5, len(PLANTED), 0.05) < 0.025 and len(missed) <= 5, missed


def test_a_checklist_of_known_answers_passes_as_often_as_it_should(planted: Rehearsal) -> None:
    """Of the sixteen categories, each in few questions, which a judge finds in eight of ten, 95 % intervals miss one
    at most."""
    passed: dict[str, list[float]] = {}
    for row in made_up(planted, "tick_internal"):
        worth = worths(row["output_1"])[0]
        for text in row["checklist"]:
            passed.setdefault(categories_in(text)[0], []).append(
                two_right(float(is_good(worth, needs(text)[0])), RIGHT)
            )
    cells = planted.cells("tick/figure4").values()
    missed = [cell.row for cell in cells if not holds(cell, sum(passed[cell.row]) / len(passed[cell.row]))]
    assert len(passed) == 16 and len(missed) <= 1, missed


def test_each_round_of_a_refinement_passes_as_often_as_its_texts_should(planted: Rehearsal) -> None:
    """Rewrites are worth more from round to round; of ten 95 % intervals one may miss."""
    cells = {(cell.row, cell.column): cell for cell in planted.cells("tick/figure3").values()}
    missed = []
    for method in ("stick", "self_refine"):
        instances = read_instances(planted.folder / f"results/instances/infobench_{method}.parquet")
        means = []
        for number in range(5):
            passed = [
                two_right(float(is_good(worths(one.outputs[number].text)[0], needs(question)[0])), RIGHT)
                for one in instances
                for question in one.context["checklist"]
            ]
            means.append(sum(passed) / len(passed))
            cell = cells[str(number), f"InFoBench, {'STICK' if method == 'stick' else 'Self-Refine'}"]
            missed += [] if holds(cell, means[-1]) else [cell]
        assert means == sorted(means) and means[0] < means[-1]
    assert len(missed) <= 1, missed


def test_a_network_that_sees_what_responses_are_worth_chooses_better_than_blindly(planted: Rehearsal) -> None:
    """Of eight different responses a blind choice is seldom the best one."""
    cells = {(cell.row, cell.column): cell for cell in planted.cells("tick/table5").values()}
    for benchmark in ("InFoBench", "WildBench"):
        precision = cells["Reward Model (ArmoRM)", f"{benchmark} Precision"]
        assert precision.low is not None and precision.low > 1 / 8, precision


OF_ROBERTA, CATEGORIES = 2, 11
"""How many categories HREF's Composite leaves to the similarity of embeddings, and how many there are."""


def win_rate(least: int) -> float:
    """How often a system wins whose responses are worth so much at least, against a baseline worth anything."""
    mine = np.where(np.arange(MOST) >= least, 1.0 / (MOST - least), 0.0)
    theirs = np.full(MOST, 1.0 / MOST)
    told = two_right(RIGHT, wins(mine, theirs))
    seen = [RIGHT * worth + (1 - RIGHT) / MOST for worth in (mine, theirs)]
    return 100 * ((CATEGORIES - OF_ROBERTA) * told + OF_ROBERTA * wins(*seen)) / CATEGORIES


def wins(mine: Floats, theirs: Floats) -> float:
    """How often a number drawn so is larger than another, ties counting half."""
    joint = np.outer(mine, theirs)
    return float(np.tril(joint, -1).sum() + np.trace(joint) / 2)


@pytest.mark.parametrize("table", ["href/table5", "href/table6"])
def test_systems_win_as_often_as_their_responses_are_worth(planted: Rehearsal, table: str) -> None:
    """By a judge composed of three methods. All share the baseline's responses, so that they may miss together."""
    cells = [cell for cell in planted.cells(table).values() if cell.column == "All"]
    true = {cell.row: win_rate(least_worth(cell.subsets[0])) for cell in cells}
    missed = [cell.row for cell in cells if not holds(cell, true[cell.row], WIDER)]
    assert len(cells) in (33, 37) and len(missed) <= 2, missed
    values = [cell.value for cell in cells]
    assert stats.pearsonr(values, list(true.values())).statistic > 0.8  # type: ignore[arg-type]


def test_the_same_systems_are_ranked_alike_on_both_sets_and_at_another_temperature(planted: Rehearsal) -> None:
    for table, row in (("href/transfer", "All 29"), ("href/decoding", "All 33")):
        found = {cell.column: cell.value for cell in planted.cells(table).values() if cell.row == row}
        assert found["Pearson"] is not None and found["Pearson"] > 0.8
        assert found["Spearman"] is not None and found["Spearman"] > 0.7


def made_up(rehearsal: Rehearsal, source: str) -> list[dict[str, str]]:
    with zipfile.ZipFile(rehearsal.folder / f"stand_ins/{source}.zip") as box:
        return [json.loads(line) for name in box.namelist() for line in box.read(name).splitlines()]


# what vanishes


def test_with_peoples_words_dealt_out_anew_no_judge_agrees_with_them(permuted: Rehearsal) -> None:
    """Each within an interval that holds chance 999 times in 1,000: judges that are alike miss together."""
    chance = [
        *(Truth("llmbar/table2", row, "AVERAGE", 50, "acc") for row in ONE_ASK),
        *(Truth("href/table1", row, "All", 50) for row in JUDGES),
        *(Truth("risum/table2", "Global", column, 0) for column in ("Follows instruction?", "How well?")),
    ]
    asked = [row for row, *_ in permuted.cells("risum/table4") if "Agreement" in row or "Softmax" in row]
    for row in dict.fromkeys(asked):
        chance += [Truth("risum/table4", row, "AUC ROC", 50), Truth("risum/table4", row, "Pearson's r", 0)]
    missed = [truth for truth in chance if not holds(cell_of(permuted, truth), truth.value, WIDER)]
    assert len(chance) > 30 and not missed, missed


def test_the_same_judges_said_the_same_before_people_were_permuted(planted: Rehearsal, permuted: Rehearsal) -> None:
    """No label reaches a judge: its verdicts are the same, whatever people say."""
    ours, theirs = (
        (folder.folder / "results/verdicts/llmbar/gpt_4.parquet").read_bytes() for folder in (planted, permuted)
    )
    assert ours == theirs


# nothing looks real


def test_every_page_and_table_says_that_it_is_rehearsed(planted: Rehearsal) -> None:
    pages = [*planted.folder.glob("results/report/**/*.html")]
    tables = [file for kind in WORDS for file in planted.folder.glob(f"results/tables/*/*.{kind}")]
    silent = [
        file.relative_to(planted.folder)
        for file in (*pages, *tables)
        if "rehears" not in file.read_text().casefold() and file.stem != "identities"  # of printed numbers alone
    ]
    empty = {f"results/tables/{table}.csv" for table in planted.tables if not numbers(planted, table)}
    silent = [str(file) for file in silent if str(file) not in empty]
    assert len(pages) > 100 and len(tables) > 150 and not silent, silent


def numbers(rehearsal: Rehearsal, table: str) -> list[Cell]:
    return [cell for cell in rehearsal.cells(table).values() if cell.value is not None]


def test_no_rehearsed_number_is_compared_with_the_printed_one(planted: Rehearsal) -> None:
    statuses = {cell.status for table in planted.tables for cell in planted.cells(table).values()}
    assert not statuses & {"exact", "within", "differs"}


def test_the_rehearsal_can_be_verified_like_any_run(planted: Rehearsal) -> None:
    words = [sys.executable, "-m", "plumbline.commands.cli", "verify", "--hashes-only"]
    done = subprocess.run(words, cwd=planted.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "every digest holds" in done.stdout, done.stdout + done.stderr


def test_only_the_chosen_tables_are_permuted(permuted: Rehearsal) -> None:
    assert set(PERMUTED) == set(permuted.tables) and not Path(permuted.folder, "..", "results").exists()
