"""Pooled means one thing: a ratio of sums over all instances, whichever way a table asks for it."""

from __future__ import annotations

import pytest
from invented import JUDGE, all_cells, table, verdict
from plumbline.config.tables import Pick
from plumbline.data.instances import CHECKLIST, Instance, Output
from plumbline.data.verdicts import READINGS, alone
from plumbline.measuring.cases import Case


def checked(subset: str, *answers: str) -> Case:
    questions = tuple(f"question {number}" for number in range(len(answers)))
    about = Instance(subset, subset, "Do", (Output("", "text"),), context={CHECKLIST: questions})
    verdicts = [
        verdict(about, alone(0), word, word, question) for word, question in zip(answers, questions, strict=True)
    ]
    return Case(about, [], {JUDGE: verdicts})


CASES = [checked("easy", "yes"), checked("hard", *["no"] * 9)]
"""One question of ten is answered yes; the mean of the two rates is one half."""
SUBSETS = Pick(subsets=["easy", "hard"], pooled=True)
PARTS = {"Easy": Pick(subsets=["easy"]), "Hard": Pick(subsets=["hard"])}
MEAN = Pick(mean=["Easy", "Hard"], pooled=True)


def drfr(pick: Pick) -> list[float | None]:
    made = all_cells(table(metrics=["drfr"], columns={**PARTS, "All": pick}), CASES)
    return [cell.value for reading in READINGS for cell in made if (cell.column, cell.reading) == ("All", reading)]


def test_subsets_that_are_pooled_are_a_ratio_of_sums() -> None:
    assert drfr(SUBSETS) == [pytest.approx(0.1)] * 2


def test_a_mean_of_columns_that_is_pooled_is_a_ratio_of_sums_too() -> None:
    assert drfr(MEAN) == [pytest.approx(0.1)] * 2


def test_a_mean_of_columns_that_is_not_pooled_weighs_them_alike() -> None:
    assert drfr(Pick(mean=["Easy", "Hard"])) == [pytest.approx(0.5)] * 2
