"""Votes: people and judges beside one another, whatever was asked: pairs, ratings, questions, one rater or several."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plumbline.data.instances import Instance, Output
from plumbline.data.labels import Label
from plumbline.data.verdicts import Outcome, Verdict
from plumbline.measuring.bootstrap import Bootstrap
from plumbline.measuring.cases import Case, Judge
from plumbline.measuring.paired import Compared
from plumbline.measuring.units import number_of
from plumbline.records.files import digest_value
from plumbline.report.comparing import LONGER, SHORTER, beside_rules, chance_of, rules
from plumbline.report.disagreements import Panel, outcome, outcomes, panels, suspects
from plumbline.report.judge_facts import abstaining, by_length, failures, position, wilson
from plumbline.report.votes import BenchmarkVotes, Item, agreed, items_of, score_of

A, B = Judge("a", "vanilla"), Judge("b", "vanilla")


def label(
    word: str = "", value: float | None = None, rater: str = "gold", question: str = "better", about: int | None = None
) -> Label:
    return Label("i", rater, question, about, word, value)


def verdict(outcome: Outcome | str, showing: str = "plain", question: str = "better") -> Verdict:
    outcome = Outcome(outcome) if isinstance(outcome, str) else outcome
    return Verdict("i", "vanilla", question, showing, outcome, outcome)


def pair(
    labels: list[Label], plain: str = "", swapped: str = "", lengths: tuple[int, int] = (3, 9), judge: Judge = A
) -> Item:
    """One instance of two outputs, judged in both orders."""
    outputs = tuple(Output("", "x" * length) for length in lengths)
    given_verdicts = [verdict(word, showing) for word, showing in ((plain, "plain"), (swapped, "swapped")) if word]
    missing = [v for v in given_verdicts if v.strict.word in ("unparsed", "refused", "truncated")]
    verdicts = [
        Verdict("i", "vanilla", "better", v.showing, *[Outcome(missing=v.strict.word)] * 2) if v in missing else v
        for v in given_verdicts
    ]  # type: ignore[arg-type]
    (item,) = items_of(Case(Instance("i", "s", "Do it.", outputs), labels, {judge: verdicts}))
    return item


def numbered(items: list[Item]) -> list[Item]:
    """Each of an instance of its own."""
    return [replace(item, instance=f"i{number}") for number, item in enumerate(items)]


def one_of(people: str, answers: str) -> Item:
    """A question about one output, answered by people and the judge."""
    case = Case(
        Instance("i", "s", "Sum up.", (Output("m", "text"),)),
        [label(people, question="follows", about=0)],
        {A: [verdict(answers, "1", "follows")]},
    )
    (item,) = items_of(case)
    return item


# what people say


def test_the_gold_label_outweighs_single_raters_and_without_one_most_words_win() -> None:
    raters = [label("second", rater=name) for name in "xyz"]
    assert agreed([label("first"), *raters]) == ("first", False)
    assert agreed([label("first", rater="x"), *raters[1:]]) == ("second", True)
    assert agreed([label("first", rater="x"), raters[1]]) == (None, True)


def rated(values: dict[str, list[float]]) -> list[Label]:
    """Ratings of the outputs, by rater."""
    return [
        label(value=value, rater=name, question="rating", about=number)
        for name, given in values.items()
        for number, value in enumerate(given)
    ]


def scored(values: list[float | None], question: str = "rating") -> list[Verdict]:
    answers = [Outcome(missing="unparsed") if value is None else Outcome(number=value) for value in values]
    return [verdict(each, str(number), question) for number, each in enumerate(answers, start=1)]


def test_ratings_of_one_output_are_averaged_and_a_judge_is_with_them_within_one_point() -> None:
    labels = rated({"x": [2.0], "y": [4.0]})
    assert agreed(labels) == (3.0, True)
    instance = Instance("i", "s", "Sum up.", (Output("m", "text"),))
    (item,) = items_of(Case(instance, labels, {A: scored([4.0]), B: scored([1.5])}))
    assert (item.people, item.about, [vote.answer for vote in item.votes[A]]) == ("3", 0, ["4"])
    assert (score_of(item, A), score_of(item, B)) == (1.0, 0.0) and item.votes[B][0].against


def test_ratings_of_several_outputs_are_choices_between_each_two_that_people_rate_differently() -> None:
    """A judge on another scale, under another question, is held against people by the order it puts outputs in."""
    labels = rated({"x": [1.0, 3.0, 2.0], "y": [1.0, 5.0, 0.0]})
    instance = Instance("i", "s", "Sum up.", tuple(Output("m", "x" * size) for size in (5, 50, 7)))
    items = items_of(Case(instance, labels, {A: scored([0.1, 0.9, 0.1], "similarity"), B: scored([None, 4.0, 4.0])}))
    assert [(item.question, item.people) for item in items] == [
        ("rating of outputs 1 and 2", "second"),
        ("rating of outputs 2 and 3", "first"),
    ]
    assert [score_of(item, A) for item in items] == [1.0, 1.0]
    assert [(item.votes[B][0].answer, item.votes[B][0].against) for item in items] == [
        ("unparsed", False),
        ("tie", False),
    ]
    assert rules(items)[LONGER] == [1.0, 1.0]


def test_a_judge_with_several_questions_of_its_own_is_held_against_none_that_it_was_not_asked() -> None:
    instance = Instance("i", "s", "Sum up.", (Output("m", "a"), Output("n", "b")))
    answers = [*scored([1.0, 2.0], "style"), *scored([2.0, 1.0], "truth")]
    (item,) = items_of(Case(instance, rated({"x": [1.0, 2.0]}), {A: answers}))
    assert item.votes == {}


def test_each_question_that_people_answered_is_an_item_of_its_own() -> None:
    labels = [label("yes", question="Is it short?", about=0), label("no", question="Is it true?", about=0)]
    instance = Instance("i", "s", "Write.", (Output("m", "text"),))
    verdicts = [verdict("yes", "1", "Is it short?"), verdict("yes", "1", "Is it true?")]
    items = items_of(Case(instance, labels, {A: verdicts}))
    assert [(item.question, item.people, score_of(item, A)) for item in items] == [
        ("Is it short?", "yes", 1.0),
        ("Is it true?", "no", 0.0),
    ]
    assert set(rules(items)) == {"always yes", "always no"}


def test_a_missing_verdict_and_a_tie_are_not_with_people_and_not_against_them() -> None:
    item = pair([label("first")], "unparsed", "tie")
    assert [(vote.score, vote.against) for vote in item.votes[A]] == [(0.0, False), (0.5, False)]


# where they disagree


@pytest.mark.parametrize(
    ("plain", "swapped", "expected"),
    [
        ("first", "first", "right"),
        ("second", "second", "wrong"),
        ("first", "second", "turned"),
        ("tie", "tie", "mixed"),
        ("first", "unparsed", "mixed"),
        ("second", "refused", "mixed"),
        ("first", "", "right"),
    ],
)
def test_an_outcome_tells_error_from_order_and_from_silence(plain: str, swapped: str, expected: str) -> None:
    assert outcome(pair([label("first")], plain, swapped), A) == expected


def test_shares_are_of_the_items_that_the_judge_voted_on() -> None:
    items = [pair([label("first")], word, word) for word in ("first", "second", "second")] + [pair([label("first")])]
    result = outcomes(items, A)
    assert result.n == 3 and result.share("wrong") == pytest.approx(200 / 3)


def test_a_label_is_suspect_where_every_vote_of_a_whole_panel_is_against_it() -> None:
    both = {A: pair([label("first")], "second", "second").votes[A]}
    against = replaced(pair([label("first")], "second", "second"), both | {B: both[A]})
    divided = replaced(against, both | {B: pair([label("first")], "second", "first", judge=B).votes[B]})
    silent = replaced(against, both)
    result = suspects(Panel("both", [A, B]), [against, divided, silent])
    assert (result.items, result.votes, result.of) == ([against], 4, 2)


def test_judges_of_one_vote_each_make_no_panel() -> None:
    item = pair([label("first")], "second", "second")
    assert panels(BenchmarkVotes([item], [A], {"t": [A]})) == []
    both = replaced(item, {A: item.votes[A], B: item.votes[A]})
    assert [panel.name for panel in panels(BenchmarkVotes([both], [A, B], {"t": [A, B]}))] == ["all judges"]


def replaced(item: Item, votes: object) -> Item:
    return Item(**{name: getattr(item, name) for name in Item.__dataclass_fields__} | {"votes": votes})


# what sways a judge


def test_position_counts_where_a_judge_turns_and_to_which_side() -> None:
    gold = [label("first")]
    items = [pair(gold, "first", "second")] * 3 + [pair(gold, "second", "first")] + [pair(gold, "first", "first")] * 4
    result = position([*items, pair(gold, "first", "tie")], A)
    assert result is not None
    assert (result.pairs, result.turned_to_first, result.turned_to_second) == (8, 3, 1)
    assert result.first_shown == (3 * 2 + 4) / 16 and result.flips == 0.5


def test_a_judge_shown_one_order_has_no_position() -> None:
    assert position([pair([label("first")], "first")], A) is None


def test_length_groups_are_by_which_output_is_the_better_one() -> None:
    items = [
        pair([label("first")], "first", "first", (3, 90)),
        pair([label("second")], "first", "first", (3, 90)),
        pair([label("first")], "first", "second", (95, 100)),
    ]
    by_name = {group.name: (group.n, group.score) for group in by_length(items, A)}
    assert by_name == {"shorter": (1, 1.0), "longer": (1, 0.0), "alike in length": (1, 0.5)}


def test_wilson_is_the_interval_that_textbooks_print() -> None:
    """Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263 gives 0.2553 to 0.3662."""
    p, low, high = wilson([1.0] * 81 + [0.0] * 182, 263)
    assert (round(p, 4), round(low, 4), round(high, 4)) == (0.3080, 0.2553, 0.3662)


def test_abstaining_on_a_turn_keeps_the_rest_and_says_how_good_it_is() -> None:
    gold = [label("first")]
    items = [
        pair(gold, "first", "first"),
        pair(gold, "first", "second"),
        pair(gold, "second", "second"),
        pair(gold, "first", "first"),
    ]
    result = abstaining(items, A)
    assert result is not None and (result.coverage, result.score, result.all_score) == (0.75, 2 / 3, 2.5 / 4)


def test_failures_are_counted_by_kind() -> None:
    items = [pair([label("first")], "unparsed", "refused"), pair([label("first")], "first", "unparsed")]
    votes, missing = failures(items, A)
    assert (votes, {word: count for word, count in missing.items() if count}) == (4, {"unparsed": 2, "refused": 1})


# beside rules


def test_a_judge_that_says_what_length_says_is_not_better_than_the_length_rule() -> None:
    items = numbered(
        [pair([label("first" if number % 3 else "second")], "second", "second", (5, 50)) for number in range(60)]
    )
    (result,) = beside_rules(items, [A], Bootstrap(1, 1000, 0.95))
    simple = rules(items)
    assert (sum(simple[LONGER]), sum(simple[SHORTER])) == (20, 40)
    assert result.rule == SHORTER and result.difference is not None and result.difference.high < 0
    assert result.better_than_chance is False and result.chance == 0.5


def test_what_could_not_have_been_seen_shrinks_with_the_items() -> None:
    def unseen(size: int) -> float:
        items = numbered(
            [
                pair(
                    [label("first" if number % 2 else "second")], "first", "first" if number % 5 else "second", (5, 50)
                )
                for number in range(size)
            ]
        )
        result = beside_rules(items, [A], Bootstrap(1, 1000, 0.95))[0].unseen
        assert result is not None
        return result

    assert unseen(1600) == pytest.approx(unseen(100) / 4, rel=0.2)


def test_a_coin_is_wrong_where_people_see_a_tie() -> None:
    """At 40 % ties it is right in 30 %; always saying tie is right in these and half right in all others."""
    items = [pair([label("tie" if number < 4 else "first")], "first", "first") for number in range(10)]
    assert chance_of(items) == pytest.approx(0.3)
    simple = rules(items)
    assert sum(simple["always tie"]) / 10 == pytest.approx(0.7)
    assert sum(simple["always first"]) / 10 == pytest.approx(0.6)


def test_the_base_rate_is_a_rule_so_that_always_yes_is_not_skill() -> None:
    """A judge that says yes to nine of ten is better than a coin, and no better than always yes."""
    items = numbered([one_of("yes" if number % 10 else "no", "yes") for number in range(200)])
    (result,) = beside_rules(items, [A], Bootstrap(1, 1000, 0.95))
    assert (result.chance, result.better_than_chance, result.rule) == (0.5, True, "always yes")
    assert result.difference is not None and result.difference.value == 0.0
    assert result.difference.low <= 0.0 <= result.difference.high
    assert [rule.name for rule in result.rules] == ["always yes", "always no"]


def test_three_of_three_are_not_better_than_chance() -> None:
    (result,) = beside_rules(numbered([pair([label("first")], "first", "first")] * 3), [A], Bootstrap(1, 1000, 0.95))
    assert result.score.value == 1.0 and result.better_than_chance is False


def test_the_best_rule_is_beaten_only_beyond_what_choosing_it_gains() -> None:
    """Among all rules, each interval is wider than alone, so that whichever is truly best lies within."""
    words = ["first" if number % 2 or number % 3 else "second" for number in range(60)]
    items = numbered(
        [pair([label("first" if n % 2 else "second")], word, word, (5, 50)) for n, word in enumerate(words)]
    )
    (result,) = beside_rules(items, [A], Bootstrap(1, 1000, 0.95))
    assert result.difference is not None and len(result.rules) == 4
    assert result.difference.low == min(rule.difference.low for rule in result.rules)
    alone = Compared(
        np.array([[score_of(item, A), each] for item, each in zip(items, rules(items)[result.rule], strict=True)]),
        np.array([number_of(digest_value(item.instance)) for item in items], dtype=np.uint64),
        Bootstrap(1, 1000, 0.95),
    ).difference(0, 1)
    assert result.difference.low < alone.low
