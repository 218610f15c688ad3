"""Judges in short: how each stands to chance and to the rules that read nothing, beside which it is listed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import Judge
from plumbline.measuring.estimates import Estimate
from plumbline.report.comparing import CHANCE, LONGER, SHORTER, Beside, Rule, baseline_scores
from plumbline.report.judge_summary import read_summaries, summaries, write_summaries
from plumbline.report.judges_page import judge_lines
from plumbline.report.votes import BenchmarkVotes, Item, ItemVote, JudgeLabel

RIGHT, LONG = Judge("right", "vanilla"), Judge("length", "longer")
NAN = float("nan")


def item(number: int, longer: str) -> Item:
    """People prefer the first output; one judge does so in both orders, one prefers the longer output."""
    answers = {RIGHT: "first", LONG: longer}
    votes = {
        judge: [
            ItemVote(word, float(word == "first"), word != "first", "", showing)
            for showing in (("plain", "swapped") if judge == RIGHT else ("none",))
        ]
        for judge, word in answers.items()
    }
    lengths = (9, 3) if longer == "first" else (3, 9)
    return Item(f"i{number}", "s", "Do it.", "better", None, "first", False, longer, lengths, votes)


ITEMS = [item(number, "second" if number % 4 else "first") for number in range(40)]
LABELS = {
    RIGHT: JudgeLabel("right", "vanilla", "Right Vanilla*", False),
    LONG: JudgeLabel("length", "longer", "Longer wins", True),
}
VOTES = BenchmarkVotes(ITEMS, [LONG, RIGHT], {"t": [LONG, RIGHT]}, LABELS)


def beside(low: float, high: float, rules: dict[str, tuple[float, float]], chance: float | None = 0.5) -> Beside:
    differences = (Rule(name, 0.6, Estimate(0.0, low, high, 0.1)) for name, (low, high) in rules.items())
    return Beside(9, Estimate((low + high) / 2, low, high, 0.1), chance, tuple(differences))


@pytest.mark.parametrize(
    ("one", "standing"),
    [
        (beside(0.7, 0.9, {LONGER: (0.1, 0.3)}), "better than both"),
        (beside(0.7, 0.9, {LONGER: (-0.1, 0.3)}), f"better than chance, no better than {LONGER}"),
        (beside(0.7, 0.9, {LONGER: (-0.3, -0.1)}), f"better than chance, worse than {LONGER}"),
        (beside(0.4, 0.6, {LONGER: (0.1, 0.3)}), "no better than chance"),
        (beside(0.1, 0.3, {LONGER: (-0.3, -0.1)}), "worse than chance"),
        (beside(0.7, 0.9, {}), "better than chance"),
        (beside(0.7, 0.9, {LONGER: (0.1, 0.3)}, None), "better than the simple rules"),
        (beside(0.7, 0.9, {}, None), ""),
        (beside(NAN, NAN, {}), "too few items to say"),
    ],
)
def test_a_judge_stands_to_chance_and_to_the_best_rule_as_its_intervals_say(one: Beside, standing: str) -> None:
    assert one.standing == standing


def test_chance_and_the_length_rules_stand_beside_judges_but_not_a_rule_that_one_of_them_follows() -> None:
    assert baseline_scores(ITEMS, []) == {CHANCE: 0.5, LONGER: 0.25, SHORTER: 0.75, "always first": 1.0}
    assert LONGER not in baseline_scores(ITEMS, [LONG])
    other = replace(ITEMS[0], votes={LONG: ITEMS[1].votes[LONG]})
    assert LONGER in baseline_scores([other, *ITEMS[1:]], [LONG])


def test_judges_are_listed_by_the_label_of_their_tables_the_best_first_and_kept_in_a_file(tmp_path: Path) -> None:
    rows = summaries(judge_lines(VOTES, {}, Bootstrap(1, 200, 0.95)), VOTES)
    assert [(row.label, row.baseline, row.score, row.n) for row in rows] == [
        ("Right Vanilla*", False, 1.0, 40),
        ("always first", True, 1.0, 40),
        (SHORTER, True, 0.75, 40),
        (CHANCE, True, 0.5, 40),
        ("Longer wins", True, 0.25, 40),
    ]
    assert (rows[0].same, rows[-1].same) == (1.0, None)
    write_summaries(tmp_path / "rows.parquet", rows)
    assert read_summaries(tmp_path / "rows.parquet") == rows


def test_where_nobody_labelled_anything_there_is_nothing_to_list() -> None:
    nothing = BenchmarkVotes([], [RIGHT], {"t": [RIGHT]}, LABELS)
    assert summaries(judge_lines(nothing, {}, Bootstrap(1, 200, 0.95)), nothing) == []
