"""Statistics against formulas written out by hand, and a bootstrap against drawing instances one by one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.statistics import METRICS, NONE, BothReadings, Outcome, Outcomes, cohen_kappa, generator, macro

SEED = 20240424
words = st.sampled_from(["first", "second", "tie", "unparsed", "truncated", "refused"])
golds = st.sampled_from(["first", "second"])
several = st.lists(st.tuples(golds, words, words), min_size=1, max_size=60)
readings = st.booleans()

MIXED: list[Outcome] = (
    [("first", "first", "first")] * 41
    + [("second", "first", "second")] * 17
    + [("second", "second", "second")] * 23
    + [("first", "unparsed", "unparsed")] * 5
    + [("second", "tie", "tie")] * 9
    + [("first", "second", "refused")] * 5
)


def measured(metric: str, outcomes: Sequence[Outcome], strict: bool = False) -> float:
    made = Outcomes.of(outcomes, strict)
    return float(METRICS[metric](made, made.counts[None, :].astype(float))[0])


def kappa_by_hand(first: Sequence[str], second: Sequence[str]) -> float:
    """Cohen 1960: (observed - expected) / (1 - expected), counted item by item."""
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    mine, theirs = Counter(first), Counter(second)
    expected = sum(mine[word] * theirs[word] for word in mine) / n**2
    return 1.0 if expected == 1 else (observed - expected) / (1 - expected)


# metrics


@given(several, readings)
def test_accuracy_is_the_share_of_right_verdicts_over_both_orders(outcomes: list[Outcome], strict: bool) -> None:
    points = 0.0
    for gold, *verdicts in outcomes:
        for verdict in verdicts:
            points += 1 if verdict == gold else 0.5 if verdict == "tie" else 0
    assert measured("acc", outcomes, strict) == pytest.approx(points / (2 * len(outcomes)))


@given(several)
def test_agreement_as_published_counts_equal_verdicts_and_strictly_only_real_ones(outcomes: list[Outcome]) -> None:
    same = [plain for _, plain, swapped in outcomes if plain == swapped]
    assert measured("agr", outcomes) == pytest.approx(len(same) / len(outcomes))
    real = [word for word in same if word not in ("unparsed", "truncated", "refused")]
    assert measured("agr", outcomes, strict=True) == pytest.approx(len(real) / len(outcomes))


@given(several)
def test_hedging_ties_and_differences_share_out_all_that_has_a_verdict(outcomes: list[Outcome]) -> None:
    ties = sum(plain == "tie" for _, plain, _ in outcomes) / len(outcomes)
    decided = sum(plain in ("first", "second") for _, plain, _ in outcomes) / len(outcomes)
    assert measured("hedge", outcomes) == pytest.approx(ties)
    assert measured("dif", outcomes) == pytest.approx(decided)


@given(several)
def test_no_verdict_counts_every_way_to_have_none(outcomes: list[Outcome]) -> None:
    missing = [word in NONE for _, *verdicts in outcomes for word in verdicts]
    assert measured("unparsed", outcomes) == pytest.approx(sum(missing) / len(missing))


def test_a_tie_is_half_right_but_not_where_people_tied_too() -> None:
    assert measured("acc", [("first", "tie", "tie")]) == 0.5
    assert measured("acc", [("tie", "tie", "tie")]) == 1.0
    assert measured("acc", [("tie", "first", "first")]) == 0.0


@given(several)
def test_kappa_is_cohens_over_both_orders(outcomes: list[Outcome]) -> None:
    gold = [gold for gold, *_ in outcomes] * 2
    verdicts = [plain for _, plain, _ in outcomes] + [swapped for *_, swapped in outcomes]
    assert measured("kappa", outcomes) == pytest.approx(kappa_by_hand(gold, verdicts))


def test_kappa_of_a_textbook_table() -> None:
    """20 and 15 agreed, 5 and 10 not: observed 0.7, expected 0.5 (Wikipedia, Cohen's kappa, simple example)."""
    assert cohen_kappa(np.array([[20.0, 5.0], [10.0, 15.0]])) == pytest.approx(0.4)


def test_kappa_is_one_where_both_use_one_and_the_same_word_throughout() -> None:
    assert measured("kappa", [("first", "first", "first")] * 3) == 1.0


@given(several, st.randoms(use_true_random=False), readings)
def test_the_order_of_instances_changes_nothing(outcomes: list[Outcome], random: object, strict: bool) -> None:
    shuffled = list(outcomes)
    random.shuffle(shuffled)
    ours, theirs = Outcomes.of(outcomes, strict), Outcomes.of(shuffled, strict)
    assert (ours.kinds, ours.counts.tolist()) == (theirs.kinds, theirs.counts.tolist())
    draws = [made.resampled(50, generator(SEED, "order")) for made in (ours, theirs)]
    assert np.array_equal(*draws)


@given(several, readings)
def test_calling_first_second_and_second_first_changes_nothing(outcomes: list[Outcome], strict: bool) -> None:
    names = {"first": "second", "second": "first"}
    mirrored = [tuple(names.get(word, word) for word in outcome) for outcome in outcomes]
    for metric in METRICS:
        assert measured(metric, mirrored, strict) == pytest.approx(measured(metric, outcomes, strict)), metric


@given(several)
def test_reading_strictly_never_raises_agreement_and_leaves_the_rest(outcomes: list[Outcome]) -> None:
    assert measured("agr", outcomes, strict=True) <= measured("agr", outcomes)
    for metric in METRICS.keys() - {"agr"}:
        assert measured(metric, outcomes, strict=True) == measured(metric, outcomes)


@given(several, readings)
def test_every_share_lies_between_none_and_all(outcomes: list[Outcome], strict: bool) -> None:
    for metric in METRICS.keys() - {"kappa"}:
        assert 0.0 <= measured(metric, outcomes, strict) <= 1.0
    assert -1.0 <= measured("kappa", outcomes, strict) <= 1.0


# intervals


@pytest.mark.parametrize("metric", METRICS)
def test_resampling_counts_is_drawing_instances_one_by_one(metric: str) -> None:
    """Mean, spread and quantiles of 20,000 replicates, within five standard errors of their Monte Carlo noise."""
    replicates = 20_000
    made = Outcomes.of(MIXED, strict=True)
    ours = METRICS[metric](made, made.resampled(replicates, np.random.default_rng(1)))
    index = {kind: number for number, kind in enumerate(made.kinds)}
    kinds = np.array([index[outcome] for outcome in MIXED])
    drawn = np.random.default_rng(2).choice(kinds, size=(replicates, len(MIXED)))
    counts = np.stack([(drawn == kind).sum(axis=1) for kind in range(len(index))], axis=1).astype(float)
    theirs = METRICS[metric](made, counts)
    spread = theirs.std()
    assert abs(ours.mean() - theirs.mean()) < 5 * spread * math.sqrt(2 / replicates)
    assert abs(ours.std() - spread) < 5 * spread / math.sqrt(replicates)
    for level in (0.025, 0.25, 0.5, 0.75, 0.975):
        # around a quantile the share of draws below it has the standard error sqrt(p (1 - p) / n)
        slack = 5 * math.sqrt(2 * level * (1 - level) / replicates)
        low, high = np.quantile(theirs, [max(level - slack, 0), min(level + slack, 1)])
        assert low <= np.quantile(ours, level) <= high


def test_the_interval_is_clustered_by_instance() -> None:
    """Both orders always err together: the spread is that of n instances, not of 2n verdicts."""
    n, right = 400, 300
    outcomes = [("first", "first", "first")] * right + [("first", "second", "second")] * (n - right)
    made = Outcomes.of(outcomes, strict=False)
    draws = METRICS["acc"](made, made.resampled(20_000, np.random.default_rng(3)))
    share = right / n
    assert draws.std() == pytest.approx(math.sqrt(share * (1 - share) / n), rel=0.05)


def test_an_average_weighs_every_subset_alike_whatever_its_size() -> None:
    small = Outcomes.of([("first", "first", "first")], strict=False)
    large = Outcomes.of([("first", "second", "second")] * 99, strict=False)
    samples = [part.resampled(100, generator(SEED, "macro", str(part.n))) for part in (small, large)]
    estimate = macro(METRICS["acc"], [small, large], samples, level=0.95)
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (0.5, 0.5, 0.5, 100)


def test_subsets_vary_independently_in_the_interval_of_their_average() -> None:
    made = Outcomes.of(MIXED, strict=False)
    samples = [made.resampled(20_000, generator(SEED, name)) for name in "abcd"]
    alone = macro(METRICS["acc"], [made], samples[:1], level=0.95)
    four = macro(METRICS["acc"], [made] * 4, samples, level=0.95)
    assert (four.high - four.low) / (alone.high - alone.low) == pytest.approx(1 / math.sqrt(4), rel=0.06)


def test_a_wider_level_gives_a_wider_interval_around_the_same_value() -> None:
    made = Outcomes.of(MIXED, strict=False)
    sample = [made.resampled(2000, generator(SEED, "level"))]
    narrow, wide = (macro(METRICS["agr"], [made], sample, level) for level in (0.5, 0.95))
    assert wide.low < narrow.low <= narrow.value == wide.value <= narrow.high < wide.high


pairs_of_readings = st.lists(
    st.tuples(st.tuples(golds, words, words), st.tuples(golds, words, words)), min_size=1, max_size=40
).map(Counter)


@given(pairs_of_readings)
def test_both_readings_see_the_same_resampled_instances(read: Counter[tuple[Outcome, Outcome]]) -> None:
    drawn = BothReadings.drawn(read, 20, SEED, "both")
    for (outcomes, samples), place in ((drawn.as_published, 0), (drawn.strict, 1)):
        counted: Counter[Outcome] = Counter()
        for kind, count in zip(outcomes.kinds, outcomes.counts.tolist(), strict=True):
            counted[kind] += count
        assert counted == Counter(pair[place] for pair in read.elements())
        assert (samples.sum(axis=1) == outcomes.n).all()


@given(several)
def test_two_readings_that_read_alike_are_resampled_alike(outcomes: list[Outcome]) -> None:
    drawn = BothReadings.drawn(Counter((one, one) for one in outcomes), 20, SEED, "both")
    assert drawn.as_published[0].kinds == drawn.strict[0].kinds
    assert np.array_equal(drawn.as_published[1], drawn.strict[1])


@given(pairs_of_readings)
def test_what_the_strict_reading_says_moves_no_published_sample(read: Counter[tuple[Outcome, Outcome]]) -> None:
    alike: Counter[tuple[Outcome, Outcome]] = Counter()
    for (published, _), count in read.items():
        alike[(published, published)] += count
    ours, theirs = (BothReadings.drawn(each, 20, SEED, "both").as_published for each in (read, alike))
    assert np.array_equal(ours[1], theirs[1])


def test_the_strict_samples_are_as_those_drawn_for_strict_outcomes_alone() -> None:
    """Shared out among the published ones, mean and spread of each outcome's count are still the multinomial's."""
    right, wrong, none = ("first", "first", "first"), ("first", "second", "second"), ("first", "unparsed", "unparsed")
    read = {(right, right): 30, (right, wrong): 12, (wrong, wrong): 8, (none, right): 10}
    drawn = BothReadings.drawn(read, 20_000, SEED, "both")
    outcomes, samples = drawn.strict
    rights = samples[:, [kind == right for kind in outcomes.kinds]].sum(axis=1)
    share = 40 / 60
    assert abs(rights.mean() - 60 * share) < 5 * math.sqrt(60 * share * (1 - share) / 20_000)
    assert rights.std() == pytest.approx(math.sqrt(60 * share * (1 - share)), rel=0.03)


# seeds


def test_random_numbers_depend_on_the_names_alone() -> None:
    first = generator(SEED, "bootstrap", "a").random(5)
    generator(SEED, "something else").random(1000)
    assert np.array_equal(generator(SEED, "bootstrap", "a").random(5), first)


@pytest.mark.parametrize(
    "other", [(SEED + 1, "bootstrap", "a"), (SEED, "bootstrap", "b"), (SEED, "a", "bootstrap"), (SEED, "bootstrapa")]
)
def test_another_seed_or_name_gives_other_numbers(other: tuple[int, *tuple[str, ...]]) -> None:
    assert not np.array_equal(generator(*other).random(5), generator(SEED, "bootstrap", "a").random(5))
