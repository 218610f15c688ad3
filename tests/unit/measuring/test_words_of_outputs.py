"""Yes and no about outputs: a judge beside most people, what it passes rightly and what it stops rightly."""

from __future__ import annotations

import random

import pytest
from plumbline.measuring.cases import Case
from test_rated_outputs import Ratings, case, one


def said(number: int, people: str, judge: str) -> Case:
    """One output: what people say of it and what the judge says, a letter each: y, n, or - for no verdict."""
    words = {"y": "yes", "n": "no", "-": "unparsed"}
    rated: Ratings = [{f"rater {place}": words[letter] for place, letter in enumerate(people)}]
    return case(number, rated, (words[judge],))


def cases(*each: str) -> list[Case]:
    return [said(number, *one.split()) for number, one in enumerate(each)]


def test_a_judge_is_right_where_it_says_what_most_people_say() -> None:
    made = cases("yyn y", "nny y", "nnn n", "yyy -")
    assert one("same_answer", made, "strict").value == pytest.approx(50.0)


def test_where_people_are_divided_either_answer_is_half_right_and_none_is_not() -> None:
    assert one("same_answer", cases("yn y", "yn n", "yn -"), "strict").value == pytest.approx(100.0 / 3)


def test_what_is_passed_rightly_is_a_share_of_what_is_passed() -> None:
    cell = one("passed_rightly", cases("yyy y", "nnn y", "yn y", "yyy n", "nnn -"), "strict")
    assert cell.value == pytest.approx(50.0) and cell.n == 3


def test_what_is_stopped_rightly_is_a_share_of_what_people_fail() -> None:
    cell = one("stopped_rightly", cases("nnn n", "nnn y", "nnn -", "nnn n", "yyy n"), "strict")
    assert cell.value == pytest.approx(50.0) and cell.n == 4


@pytest.mark.parametrize(("metric", "answers"), [("passed_rightly", "n"), ("stopped_rightly", "y")])
def test_a_share_of_nothing_is_undefined(metric: str, answers: str) -> None:
    people = "yyy" if metric == "stopped_rightly" else "nnn"
    assert one(metric, cases(f"{people} {answers}", f"{people} {answers}"), "strict").value is None


def test_planted_rates_are_found() -> None:
    """People pass half; of these the judge passes 0.9, of the others 0.2."""
    rng = random.Random(7)
    made = []
    for number in range(2000):
        good = rng.random() < 0.5
        passes = rng.random() < (0.9 if good else 0.2)
        made.append(said(number, "yyy" if good else "nnn", "y" if passes else "n"))
    planted = {"same_answer": 85.0, "passed_rightly": 100 * 0.9 / 1.1, "stopped_rightly": 80.0}
    for metric, truth in planted.items():
        cell = one(metric, made, "strict")
        assert cell.low is not None and cell.high is not None and cell.low < truth < cell.high, metric


@pytest.mark.parametrize(
    ("metric", "each"), [("passed_rightly", ("yyy y", "nnn n")), ("stopped_rightly", ("nnn n", "yyy y"))]
)
def test_a_share_without_a_failure_is_as_sure_as_the_outputs_that_it_is_of(metric: str, each: tuple[str, str]) -> None:
    """Wilson's interval of 15 of 15 ends at 79.6; of all forty it would end at 91.2."""
    cell = one(metric, cases(*[each[0]] * 15, *[each[1]] * 25), "strict")
    assert (cell.value, cell.low, cell.high) == pytest.approx((100.0, 79.6, 100.0), abs=0.1)
