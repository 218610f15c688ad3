"""What moved between the readings: counted, named, and worth exactly the difference."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.moved import Judged, Move, Said, moves, why_strict_differs
from plumbline.statistics import METRICS, PERCENT, SCORES, Outcomes

words = st.sampled_from(["first", "second", "tie", "unparsed", "truncated", "refused"])
whys = st.sampled_from(["", "by its conclusion", "none given"])
said = st.builds(Said, words, words, whys)
missing = st.sampled_from(["unparsed", "truncated", "refused"])
alike = words.map(lambda word: Said(word, word, "")) | st.builds(Said, missing, missing, whys)


def subsets_of(said: st.SearchStrategy[Said]) -> st.SearchStrategy[list[Counter[Judged]]]:
    judged = st.builds(Judged, st.sampled_from(["first", "second", "tie"]), said, said)
    return st.lists(st.lists(judged, min_size=1, max_size=20).map(Counter), min_size=1, max_size=4)


subsets, unmoved = subsets_of(said), subsets_of(alike)


def value(metric: str, parts: list[Counter[Judged]], reading: str) -> float:
    """The mean over subsets, computed from the outcomes of one reading alone."""
    made = [
        Outcomes.of([one.outcome(reading) for one in part.elements()], strict=reading == "strict")  # type: ignore[arg-type]
        for part in parts
    ]
    values = [float(METRICS[metric](part, part.counts[None, :].astype(float))[0]) for part in made]
    return (100 if metric in PERCENT else 1) * sum(values) / len(values)


def one(gold: str, plain: tuple[str, str, str], swapped: tuple[str, str, str], times: int = 1) -> Counter[Judged]:
    return Counter({Judged(gold, Said(*plain), Said(*swapped)): times})


RIGHT = ("first", "first", "")


@given(subsets)
@pytest.mark.parametrize("metric", SCORES)
def test_what_moved_adds_up_to_the_whole_difference(metric: str, parts: list[Counter[Judged]]) -> None:
    difference = value(metric, parts, "strict") - value(metric, parts, "as_published")
    assert sum(moved.worth for moved in moves(metric, parts).values()) == pytest.approx(difference, abs=1e-9)


@given(unmoved)
@pytest.mark.parametrize("metric", sorted(METRICS.keys() - {"agr"}))
def test_a_missing_verdict_that_is_only_called_otherwise_has_not_moved(
    metric: str, parts: list[Counter[Judged]]
) -> None:
    assert not moves(metric, parts)
    assert value(metric, parts, "strict") == pytest.approx(value(metric, parts, "as_published"), abs=1e-9)


@given(subsets)
def test_every_verdict_that_goes_from_one_word_to_another_is_counted_once_for_kappa(
    parts: list[Counter[Judged]],
) -> None:
    """But for the words for a missing verdict, which are all the same to it."""
    names = {"truncated": "unparsed", "refused": "unparsed"}
    verdicts = [said for part in parts for judged in part.elements() for said in (judged.plain, judged.swapped)]
    read = [(names.get(said.as_published, said.as_published), names.get(said.strict, said.strict)) for said in verdicts]
    counted = sum(moved.count for moved in moves("kappa", parts).values())
    assert counted == sum(was != now for was, now in read)


def test_a_verdict_that_moves_is_named_by_what_it_is_to_the_metric() -> None:
    part = one("first", ("second", "first", "by its conclusion"), RIGHT)
    assert [*moves("acc", [part])] == [Move("wrong", "right", "by its conclusion")]
    assert [*moves("kappa", [part])] == [Move("second", "first", "by its conclusion")]
    assert [*moves("agr", [part])] == [Move("not agreeing", "agreeing", "by its conclusion")]
    assert not moves("hedge", [part]) and not moves("dif", [part]) and not moves("unparsed", [part])


def test_a_tie_that_no_one_gave_is_half_right_only_as_published() -> None:
    missing = ("tie", "refused", "none given")
    part = one("first", missing, missing) + one("first", RIGHT, RIGHT, times=3)
    assert why_strict_differs("acc", [part], -12.5) == (
        "strictly -12.5 by 2 of 8 verdicts: 2 tie to no verdict (none given)"
    )
    assert why_strict_differs("hedge", [part], -25.0) == (
        "strictly -25 by 1 of 4 instances: 1 tie to no verdict (none given)"
    )


def test_a_pair_unparsed_in_both_orders_agrees_only_as_published_though_no_verdict_moved() -> None:
    none, refused = ("unparsed", "unparsed", ""), ("unparsed", "refused", "none given")
    part = one("first", none, none) + one("first", none, refused) + one("first", RIGHT, RIGHT, times=2)
    assert not moves("acc", [part])
    assert why_strict_differs("agr", [part], -50.0) == (
        "strictly -50 by 2 of 4 instances: 2 agreeing to not agreeing (no verdict in either order)"
    )


def test_a_pair_that_parts_because_one_order_moved_names_why_that_one_did() -> None:
    none, read = ("unparsed", "unparsed", ""), ("unparsed", "first", "by its conclusion")
    assert [*moves("agr", [one("first", none, read)])] == [Move("agreeing", "not agreeing", "by its conclusion")]


def test_moves_for_the_same_reason_stand_together_and_the_most_frequent_first() -> None:
    part = (
        one("first", ("second", "first", "by its conclusion"), RIGHT, times=2)
        + one("first", ("unparsed", "first", "by its conclusion"), RIGHT, times=3)
        + one("first", ("first", "unparsed", "off the scale"), RIGHT)
    )
    assert why_strict_differs("acc", [part], 100 * 4 / 12) == (
        "strictly +33.3 by 6 of 12 verdicts: 3 no verdict to right, 2 wrong to right (by its conclusion); "
        "1 right to no verdict (off the scale)"
    )


def test_kappa_says_that_it_is_computed_anew() -> None:
    part = one("first", ("second", "first", "by its conclusion"), RIGHT)
    assert why_strict_differs("kappa", [part], 1.0) == (
        "strictly +1 (computed anew) by 1 of 2 verdicts: 1 second to first (by its conclusion)"
    )


def test_a_subset_weighs_the_same_whatever_its_size() -> None:
    small = one("first", ("second", "first", "by its conclusion"), RIGHT)
    large = one("first", RIGHT, RIGHT, times=99)
    (moved,) = moves("acc", [small, large]).values()
    assert (moved.count, moved.worth) == (1, 25.0)
