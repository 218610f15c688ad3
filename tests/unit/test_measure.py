"""Cells: their status beside the printed number, their reasons, and what the strict reading explains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.cells import CELLS
from plumbline.declarations import Column, Reason, Table, TableRow, Waits
from plumbline.errors import PlumblineError
from plumbline.instances import Pair
from plumbline.measure import Bootstrap, Computing, Counts, Evidence, equal_as_printed
from plumbline.parquet import Row, read_rows, write_rows
from plumbline.statistics import Outcome

BOOTSTRAP = Bootstrap(seed=1, replicates=500, level=0.95)
ROWS = {"Judge": TableRow(model="judge", protocol="vanilla")}


def table(**changes: Any) -> Table:
    settings: dict[str, Any] = {"columns": {"ALL": Column(["easy"])}, "metrics": ["acc"], "rows": ROWS}
    return Table("us", "t", "T", "Us", "bench", **(settings | changes))


def evidence(**subsets: Sequence[Outcome]) -> Evidence:
    """Verdicts whose strict reading is given; as published, an answer without verdict is merely unparsed."""
    pairs, rows = [], []
    for subset, outcomes in subsets.items():
        for number, (gold, *verdicts) in enumerate(outcomes):
            pair = Pair(f"{subset}-{number}", subset, f"Do {number}", "a", "b", gold, "f#0")
            pairs.append(pair)
            for order, verdict in zip(("plain", "swapped"), verdicts, strict=True):
                published = "unparsed" if verdict in ("truncated", "refused") else verdict
                rows.append(verdict_row(pair, order, published, verdict))
    return Evidence({"bench": pairs}, {("bench", "judge"): Counts.of(rows)})


def verdict_row(pair: Pair, order: str, published: str, strict: str) -> Row:
    named = {"instance": pair.id, "subset": pair.subset, "gold": pair.gold, "protocol": "vanilla", "order": order}
    return named | {
        "as_published": published,
        "strict": strict,
        "why": "" if strict == published else "none given",
        "close": False,
    }


def cells(table: Table, evidence: Evidence, reading: str = "as_published") -> list[Row]:
    return [row for row in Computing(table, BOOTSTRAP, evidence).rows() if row["reading"] == reading]


def right_of(n: int, right: int) -> list[Outcome]:
    return [("first", "first", "first")] * right + [("first", "second", "second")] * (n - right)


# status


@pytest.mark.parametrize(
    ("printed", "status"),
    [(75.0, "exact"), (75.04, "exact"), (75.3, "within"), (20.0, "differs"), (None, "unprinted")],
)
def test_a_cell_is_exact_within_differing_or_unprinted(printed: float | None, status: str) -> None:
    (cell,) = cells(table(printed={"Judge": [printed]}), evidence(easy=right_of(100, 75)))
    assert (cell["value"], cell["paper"], cell["status"]) == (75.0, printed, status)


def test_a_row_that_waits_has_no_number_and_says_what_it_waits_for() -> None:
    rows = {"Judge": TableRow(protocol="vanilla", waits=Waits(weights="Judge 13B", program="a debate"))}
    made = Computing(table(rows=rows, printed={"Judge": [81.0]}), BOOTSTRAP, Evidence({}, {})).rows()
    assert [(cell["value"], cell["paper"], cell["status"], cell["reason"]) for cell in made] == [
        (None, 81.0, "waiting", "weights: Judge 13B; no program here yet: a debate")
    ] * 2
    assert [cell["waits_for"] for cell in made] == [["weights", "program"]] * 2


def test_a_cell_that_no_paper_printed_is_not_waited_for() -> None:
    rows = {"Judge": TableRow(waits=Waits(weights="Judge 13B"))}
    declared = table(rows=rows, metrics=["acc", "agr"], printed={"Judge": [81.0, None]})
    made = Computing(declared, BOOTSTRAP, Evidence({}, {})).rows()
    statuses = {(cell["metric"], cell["status"]) for cell in made}
    assert statuses == {("acc", "waiting"), ("agr", "unprinted")}
    assert all(cell["value"] is None and cell["reason"] == "weights: Judge 13B" for cell in made)


@pytest.mark.parametrize(
    ("value", "printed", "digits", "equal"),
    [
        (54.35, 54.3, 1, True),
        (54.35, 54.4, 1, True),
        (54.348, 54.4, 1, False),
        (54.348, 54.3, 1, True),
        (0.5, 0.0, 0, True),
        (0.5, 1.0, 0, True),
        (0.51, 0.0, 0, False),
        (0.8975, 0.898, 3, True),
        (-0.05, -0.1, 1, True),
    ],
)
def test_an_exact_half_may_be_printed_either_way_and_nothing_else(
    value: float, printed: float, digits: int, equal: bool
) -> None:
    assert equal_as_printed(value, printed, digits) is equal


@given(st.floats(-1000, 1000), st.integers(0, 3))
def test_what_python_would_print_counts_as_equal(value: float, digits: int) -> None:
    assert equal_as_printed(value, round(value, digits), digits)
    assert not equal_as_printed(value, round(value, digits) + 2 * 10.0**-digits, digits)


# reasons


def test_a_declared_reason_reaches_the_cells_it_is_about_and_no_exact_one() -> None:
    reasons = [
        Reason("a misprint", row="Judge", columns=["ALL"], metrics=["acc"]),
        Reason("another row", row="Other"),
        Reason("everything else", row="Judge"),
    ]
    declared = table(metrics=["acc", "agr"], printed={"Judge": [75.3, 99.0]}, reasons=reasons)
    acc, agr = cells(declared, evidence(easy=right_of(100, 75)))
    assert (acc["status"], acc["reason"]) == ("within", "a misprint")
    assert (agr["status"], agr["reason"]) == ("differs", "everything else")
    (exact,) = cells(table(printed={"Judge": [75.0]}, reasons=reasons), evidence(easy=right_of(100, 75)))
    assert (exact["status"], exact["reason"]) == ("exact", "")


@pytest.mark.parametrize("missing", ["unparsed", "truncated", "refused"])
def test_a_strict_value_that_differs_counts_what_moved(missing: str) -> None:
    outcomes = [*right_of(10, 10), ("first", missing, missing)]
    (published,) = cells(table(metrics=["agr"]), evidence(easy=outcomes))
    (strict,) = cells(table(metrics=["agr"]), evidence(easy=outcomes), "strict")
    assert published["value"] == 100.0
    assert strict["value"] == pytest.approx(100 * 10 / 11)
    assert strict[missing] == 2
    assert strict["reason"] == (
        "strictly -9.09 by 1 of 11 instances: 1 agreeing to not agreeing (no verdict in either order)"
    )


def test_a_strict_value_that_is_the_published_one_needs_no_explanation() -> None:
    (strict,) = cells(table(), evidence(easy=right_of(4, 3)), "strict")
    assert strict["reason"] == ""


# values


def test_a_column_of_several_subsets_averages_them_with_equal_weight() -> None:
    columns = {"BOTH": Column(["easy", "hard"])}
    (cell,) = cells(table(columns=columns), evidence(easy=right_of(10, 10), hard=right_of(90, 45)))
    assert (cell["value"], cell["n"]) == (75.0, 100)


def test_kappa_is_not_in_percent() -> None:
    balanced = [("first", "first", "first"), ("second", "second", "second")]
    (cell,) = cells(table(metrics=["kappa"]), evidence(easy=balanced))
    assert cell["value"] == 1.0


def test_counts_count_instances_and_may_ask_for_a_word_in_the_instruction() -> None:
    rows = {"All": TableRow(subsets=["easy"]), "Tens": TableRow(subsets=["easy"], matching=r"Do 1\d")}
    made = cells(table(rows=rows, metrics=["count"], columns={"n": Column([])}), evidence(easy=right_of(20, 0)))
    assert [cell["value"] for cell in made] == [20.0, 10.0]


def test_printed_numbers_are_read_column_by_column_and_metric_by_metric() -> None:
    columns = {name: Column([name.lower()]) for name in ("EASY", "HARD")}
    declared = table(columns=columns, metrics=["acc", "agr"], printed={"Judge": [1.0, 2.0, 3.0, 4.0]})
    made = cells(declared, evidence(easy=right_of(2, 1), hard=right_of(2, 1)))
    assert [(cell["column"], cell["metric"], cell["paper"]) for cell in made] == [
        ("EASY", "acc", 1.0),
        ("EASY", "agr", 2.0),
        ("HARD", "acc", 3.0),
        ("HARD", "agr", 4.0),
    ]


def test_one_cell_does_not_depend_on_which_other_cells_the_table_has() -> None:
    """Its interval is seeded by what it measures, not by what was drawn before."""
    known = evidence(easy=right_of(50, 40), hard=right_of(50, 20))
    columns = {"HARD": Column(["hard"]), "ALL": Column(["easy"])}
    (alone,) = cells(table(), known)
    assert alone in cells(table(columns=columns), known)
    assert alone["low"] < alone["value"] < alone["high"]


def test_a_judge_read_alike_in_both_readings_has_the_same_intervals_in_both() -> None:
    declared = table(metrics=["acc", "agr", "kappa"])
    known = evidence(easy=[*right_of(50, 40), ("second", "second", "first")])
    published, strict = (cells(declared, known, reading) for reading in ("as_published", "strict"))
    assert published == [cell | {"reading": "as_published"} for cell in strict]


def test_a_word_for_a_missing_verdict_moves_no_interval() -> None:
    """An unparsed answer that is strictly a refused one is as wrong as before."""
    known = evidence(easy=[*right_of(50, 40), ("second", "refused", "first")])
    (published,), (strict,) = (cells(table(), known, reading) for reading in ("as_published", "strict"))
    assert (published["low"], published["high"]) == (strict["low"], strict["high"])


# verdicts that cannot be counted


def judged_twice(**changes: str) -> list[Row]:
    pair = Pair("i", "easy", "Do", "a", "b", "first", "f#0")
    rows = [verdict_row(pair, order, "first", "first") for order in ("plain", "swapped")]
    return [*rows, rows[0] | changes]


@pytest.mark.parametrize(("order", "kept"), [("plain", 2), ("swapped", 2), ("plain", 1)])
def test_a_second_row_of_one_instance_protocol_and_order_is_refused(order: str, kept: int) -> None:
    rows = judged_twice(order=order)
    with pytest.raises(PlumblineError) as error:
        Counts.of([*rows[:kept], rows[2]], "results/verdicts/bench/judge.parquet")
    message = str(error.value)
    assert "a verdict stands twice" in message
    assert f"results/verdicts/bench/judge.parquet, row {kept + 1}" in message
    assert f"instance i, protocol vanilla, order {order}" in message


def test_one_instance_may_be_judged_by_several_protocols() -> None:
    rows = judged_twice()[:2]
    counts = Counts.of([*rows, *(row | {"protocol": "cot"} for row in rows)])
    assert [sum(found.values()) for found in counts.judged.values()] == [1, 1]


def test_subsets_without_an_instance_are_refused_in_one_message() -> None:
    columns = {"ALL": Column(["easy", "hard"]), "HARD": Column(["hard"]), "RARE": Column(["rare"])}
    with pytest.raises(PlumblineError) as error:
        cells(table(columns=columns, metrics=["acc", "agr"]), evidence(easy=right_of(4, 3)))
    message = str(error.value)
    assert "no judged instance" in message and "table us/t" in message
    assert message.count("'hard' of bench") == message.count("'rare' of bench") == 1
    assert "'easy'" not in message


def test_a_cell_counts_the_verdicts_that_hang_on_less_than_the_noise() -> None:
    rows, pairs = [], []
    for subset, closeness in (("easy", (True, False)), ("hard", (True, True))):
        pairs.append(Pair(subset, subset, "Do", "a", "b", "first", "f#0"))
        for order, close in zip(("plain", "swapped"), closeness, strict=True):
            rows.append(verdict_row(pairs[-1], order, "first", "first") | {"close": close})
    known = Evidence({"bench": pairs}, {("bench", "judge"): Counts.of(rows)})
    columns = {"EASY": Column(["easy"]), "ALL": Column(["easy", "hard"])}
    assert [cell["close"] for cell in cells(table(columns=columns), known)] == [1, 3]


def test_cells_fit_the_schema_they_are_written_in(tmp_path: Any) -> None:
    made = Computing(table(printed={"Judge": [75.3]}), BOOTSTRAP, evidence(easy=right_of(100, 75))).rows()
    write_rows(tmp_path / "cells.parquet", made, CELLS)
    read = read_rows(tmp_path / "cells.parquet", CELLS)
    assert [{name: row[name] for name in CELLS.names} for row in made] == read
