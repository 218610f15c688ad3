"""The outputs that a judge prefers: of several that are best, all."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from deriving_here import derive, gold, instance, labels_of, made, reasons, stored
from hypothesis import given
from hypothesis import strategies as st
from plumbline.data.instances import Instance
from plumbline.data.labels import Label
from plumbline.data.loaded import Accounted
from plumbline.data.verdicts import PLAIN, SWAPPED, Outcome, Verdict, alone
from plumbline.derive.derivations.preferred import Preferred
from plumbline.derive.given import ById

FOUR, TWO = stored(instance("Say it.", "One.", "Two.", "Three.", "Four."), instance("Say two.", "One.", "Two."))
UNPARSED = Outcome(missing="unparsed")


def says(about: Instance, question: str, showing: str, what: Outcome | float | str, **more: object) -> Verdict:
    outcomes = (
        what if isinstance(what, Outcome) else Outcome(what) if isinstance(what, str) else Outcome(number=float(what))
    )
    return replace(Verdict(about.id, "p", question, showing, outcomes, outcomes), **more)  # type: ignore[arg-type]


def rated(about: Instance, *ratings: Outcome | float | str, question: str = "rating") -> list[Verdict]:
    """What is said of each output shown alone."""
    return [says(about, question, alone(place), rating) for place, rating in enumerate(ratings)]


def preferred(
    verdicts: list[Verdict],
    about: Instance = FOUR,
    question: str = "",
    reading: Literal["as_published", "strict"] = "strict",
    labels: list[Label] | None = None,
) -> Accounted:
    benchmark = Preferred(derive="preferred", of="b", model="judge", protocol="p", question=question, reading=reading)
    [one] = derive(benchmark, [about], labels or [], verdicts={"judge": ById(verdicts)})
    return one


def kept(one: Accounted) -> list[str]:
    return [text for instance in made([one]) for text in instance.texts]


def test_the_output_with_the_highest_score_is_kept_with_all_scores_in_the_ledger() -> None:
    one = preferred(rated(FOUR, 3, 7, 5, 7.5))
    assert kept(one) == ["Four."]
    assert one.entry.facts == {"score 1": "3.0", "score 2": "7.0", "score 3": "5.0", "score 4": "7.5"}


def test_of_several_that_are_best_all_are_kept_in_their_order() -> None:
    assert kept(preferred(rated(FOUR, 3, 7, 5, 7))) == ["Two.", "Four."]


def test_where_all_are_as_good_the_instance_stays_as_it_is() -> None:
    assert made([preferred(rated(FOUR, 7, 7, 7, 7))]) == [FOUR]


@given(st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_the_kept_ones_are_all_maxima_and_nothing_else(ratings: list[int]) -> None:
    best = [text for text, rating in zip(FOUR.texts, ratings, strict=True) if rating == max(ratings)]
    assert kept(preferred(rated(FOUR, *ratings))) == best


def test_several_statements_of_an_output_count_as_their_mean() -> None:
    first, second = rated(FOUR, 9, 5, 1, 1), rated(FOUR, 0, 5, 1, 1)
    assert kept(preferred([*first, *(replace(verdict, sample=1) for verdict in second)])) == ["Two."]


def test_yes_and_no_count_as_shares() -> None:
    answers = [
        *rated(FOUR, "yes", "yes", "no", "no", question="q1"),
        *rated(FOUR, "no", "yes", "no", "yes", question="q2"),
    ]
    one = preferred(answers)
    assert (kept(one), one.entry.facts["score 4"]) == (["Two."], "0.5")


def test_only_the_question_that_is_named_counts() -> None:
    verdicts = [*rated(FOUR, 1, 2, 3, 4, question="style"), *rated(FOUR, 4, 3, 2, 1, question="facts")]
    assert kept(preferred(verdicts, question="style")) == ["Four."]
    assert kept(preferred(verdicts, question="facts")) == ["One."]


def test_the_better_one_of_a_pair_is_kept_whichever_stood_first() -> None:
    """Words about outputs are about them as stored, however they were shown."""
    for better, text in (("first", "One."), ("second", "Two.")):
        verdicts = [says(TWO, "better", PLAIN, better), says(TWO, "better", SWAPPED, better)]
        assert kept(preferred(verdicts, TWO)) == [text]


def test_a_judge_that_contradicts_itself_or_finds_a_tie_keeps_both() -> None:
    for words in (("first", "second"), ("tie", "tie")):
        verdicts = [says(TWO, "better", *answers) for answers in zip((PLAIN, SWAPPED), words, strict=True)]
        assert made([preferred(verdicts, TWO)]) == [TWO]


def test_a_preference_says_nothing_of_a_third_output() -> None:
    one = preferred([says(FOUR, "better", PLAIN, "second")])
    assert (kept(one), sorted(one.entry.facts)) == (["Two."], ["score 1", "score 2"])


def test_what_follows_from_the_scores_is_not_counted_beside_them() -> None:
    """A preference that is derived from two ratings is on another scale than they are."""
    better = says(TWO, "better", PLAIN, "first", derived_from=("rating/1", "rating/2"))
    one = preferred([*rated(TWO, 7, 3), better], TWO)
    assert one.entry.facts == {"score 1": "7.0", "score 2": "3.0"}
    assert preferred([*rated(TWO, 7, 3), better], TWO, question="better").entry.facts["score 1"] == "1.0"


def test_what_could_not_be_read_counts_as_nothing_said() -> None:
    one = preferred(rated(FOUR, UNPARSED, 2, 1, UNPARSED))
    assert (kept(one), sorted(one.entry.facts)) == (["Two."], ["score 2", "score 3"])
    halved = [*rated(FOUR, 9, 5, 1, 1), *rated(FOUR, UNPARSED, 5, 1, 1)]
    assert kept(preferred(halved)) == ["One."], "the mean is of what was said"


def test_answers_are_read_as_the_benchmark_says() -> None:
    verdicts = [replace(verdict, strict=UNPARSED) for verdict in rated(FOUR, 1, 9, 1, 1)] + rated(FOUR, 1, 1, 1, 2)
    assert kept(preferred(verdicts, reading="as_published")) == ["Two."]
    assert kept(preferred(verdicts)) == ["Four."]


@pytest.mark.parametrize("verdicts", [[], rated(FOUR, *[UNPARSED] * 4), rated(FOUR, "perhaps", "who", "can", "say")])
def test_an_instance_of_which_nothing_was_said_is_dropped_with_the_reason(verdicts: list[Verdict]) -> None:
    one = preferred(verdicts)
    assert reasons([one]) == ["nothing was said of any output"] and one.entry.input == FOUR.id


def test_labels_go_with_the_outputs_that_are_kept() -> None:
    rating = Label(TWO.id, "ann", "rating", 1, None, 4.0)
    one = preferred(rated(TWO, 1, 2), TWO, labels=[gold(TWO, "second"), rating])
    [label] = labels_of([one])
    assert (label.about, label.value, one.entry.labels_left) == (0, 4.0, 1)


def test_what_is_left_is_not_flawed_by_what_is_gone() -> None:
    flawed = replace(FOUR, flawed={"a": "truncated", "b": "truncated"})
    assert [one.flawed for one in made([preferred(rated(FOUR, 1, 2, 0, 0), flawed)])] == [{"b": "truncated"}]
