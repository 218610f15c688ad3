"""The ceiling of a judge who always says what most people say: how near the estimate comes in planted populations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest
from invented import BOOTSTRAP, JUDGE, ROW, Listed, instance, table, verdict
from measured import of_cases
from planted import coverage
from plumbline.config.tables import Pick
from plumbline.data.labels import BETTER, Label
from plumbline.data.verdicts import PLAIN, SWAPPED
from plumbline.measuring.bootstrap import Bootstrap, Floats
from plumbline.measuring.cases import Case
from plumbline.measuring.ceiling import chances, dirichlet, largest_share, majorities, ways
from plumbline.measuring.ceiling_marks import CEILING, NOISE_CEILING, ONE_PERSON
from plumbline.measuring.grid import notes
from plumbline.measuring.measures.noise_ceiling import Said, noise_ceiling
from plumbline.measuring.table import Measuring
from scipy import stats

WORDS = ("first", "second", "tie")
MANY = 60_000


def dirichlets(*parameters: float) -> Callable[[np.random.Generator, int], Floats]:
    return lambda random, items: random.dirichlet(parameters, items)


def in_turn(*shares: float) -> Callable[[np.random.Generator, int], Floats]:
    """Every item divides people alike; which word most say differs."""
    return lambda random, items: random.permuted(np.tile(shares, (items, 1)), axis=1)


def mixed(*parts: tuple[float, tuple[float, ...]]) -> Callable[[np.random.Generator, int], Floats]:
    def draw(random: np.random.Generator, items: int) -> Floats:
        which = random.choice(len(parts), items, p=[chance for chance, _ in parts])
        return random.permuted(np.array([shares for _, shares in parts])[which], axis=1)

    return draw


POPULATIONS = {
    "U-shaped": dirichlets(0.5, 0.5),
    "flat": dirichlets(1.0, 1.0),
    "one word said more": dirichlets(2.0, 1.0),
    "three words": dirichlets(0.9, 0.8, 0.3),
    "clear or unsure": mixed((0.5, (0.95, 0.05)), (0.5, (0.65, 0.35))),
    "eight of ten": in_turn(0.8, 0.2),
    "seven of ten, three words": in_turn(0.7, 0.2, 0.1),
    "certain or a coin": mixed((0.6, (0.97, 0.03)), (0.4, (0.5, 0.5))),
}
PEOPLE = (2, 3, 4, 5, 10)
BIASES = {
    "U-shaped": (0.01,) * 5,
    "flat": (0.01,) * 5,
    "one word said more": (0.01,) * 5,
    "three words": (0.01,) * 5,
    "clear or unsure": (0.01,) * 5,
    "eight of ten": (0.045, 0.045, 0.03, 0.03, 0.01),
    "seven of ten, three words": (0.06, 0.055, 0.04, 0.035, 0.015),
    "certain or a coin": (0.055, 0.055, 0.045, 0.045, 0.035),
}
"""How far the estimate may be off by the number of people."""


def said_of(shares: Floats, people: int, random: np.random.Generator) -> Floats:
    """How many people say which word of each item."""
    return random.multinomial(people, shares).astype(float)


@cache
def of_population(name: str, people: int) -> tuple[float, float, float, float]:
    """The true ceiling, its estimate, and the two numbers that it lies between."""
    random = np.random.default_rng([*POPULATIONS].index(name))
    shares = POPULATIONS[name](random, MANY)
    kinds, number = np.unique(said_of(shares, people, random), axis=0, return_counts=True)
    units = [Said((tuple(np.repeat(WORDS[: len(kind)], kind.astype(int))),)) for kind in kinds]
    estimate = float(noise_ceiling(units, "strict")(number[None].astype(float))[0])
    low, high = (float(each @ number) / MANY for each in majorities(kinds))
    return float(shares.max(axis=1).mean()), estimate, low, high


@pytest.mark.parametrize("people", PEOPLE)
@pytest.mark.parametrize("name", POPULATIONS)
def test_the_estimate_is_as_near_as_it_is_said_to_be(name: str, people: int) -> None:
    true, estimate, *_ = of_population(name, people)
    assert abs(estimate - true) <= BIASES[name][PEOPLE.index(people)]


@pytest.mark.parametrize("people", PEOPLE)
def test_the_estimate_is_nearer_than_either_number_that_needs_no_model(people: int) -> None:
    """At worst and on average over the populations."""
    errors = np.array(
        [
            [abs(each - true) for each in others]
            for true, *others in (of_population(name, people) for name in POPULATIONS)
        ]
    )
    ours, of_the_others, of_all = errors.T
    assert ours.mean() < min(of_the_others.mean(), of_all.mean()) / 1.5
    assert ours.max() < max(of_the_others.max(), of_all.max())


def test_coin_throws_have_no_more_of_a_ceiling_than_chance() -> None:
    """The majority of three looks like one of 75 %."""
    random = np.random.default_rng(3)
    kinds, number = np.unique(said_of(np.full((MANY, 2), 0.5), 3, random), axis=0, return_counts=True)
    units = [Said((tuple(np.repeat(WORDS[:2], kind.astype(int))),)) for kind in kinds]
    assert float(noise_ceiling(units, "strict")(number[None].astype(float))[0]) < 0.53


def test_the_mean_of_the_largest_share_is_that_of_draws() -> None:
    for parameters in ((0.5, 0.5), (3.0, 0.2), (0.9, 0.8, 0.3), (40.0, 30.0, 20.0), (0.02, 0.03), (1e-3, 2e-3, 1e-3)):
        drawn = np.random.default_rng(1).dirichlet(parameters, 200_000).max(axis=1).mean()
        assert largest_share(np.array([parameters]))[0] == pytest.approx(float(drawn), abs=0.003), parameters


def test_the_parameters_have_the_shares_and_the_agreement_they_are_made_from() -> None:
    shares, agreement = np.array([[0.5, 0.3, 0.2]]), np.array([0.62])
    [parameters] = dirichlet(shares, agreement)
    drawn = np.random.default_rng(1).dirichlet(parameters, 200_000)
    assert drawn.mean(axis=0) == pytest.approx(shares[0], abs=0.005)
    assert float((drawn**2).sum(axis=1).mean()) == pytest.approx(0.62, abs=0.005)


def test_ways_to_answer_have_the_chances_of_other_peoples_code() -> None:
    known, parameters = ways(4, 3), np.array([0.9, 0.8, 0.3])
    theirs = stats.dirichlet_multinomial(parameters, 4).pmf(known.counts.astype(int))
    assert chances(known.counts, parameters[None])[0] == pytest.approx(theirs)
    assert len(known.counts) == 15 and theirs.sum() == pytest.approx(1.0)


def test_words_said_equally_often_count_by_their_chances() -> None:
    others, everyone = majorities(np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [3.0, 0.0, 0.0], [2.0, 2.0, 1.0]]))
    assert others == pytest.approx([(2 * 0.5 + 0) / 3, 0.0, 1.0, (2 * 0.0 + 2 * 0.0 + 0.0) / 5])
    assert everyone == pytest.approx([2 / 3, 0.5, 1.0, 0.4])


def cases(subset: str, n: int, random: np.random.Generator, people: int = 4) -> Iterator[Case]:
    shares = random.dirichlet((0.9, 0.8, 0.3), n)
    for number, counts in enumerate(said_of(shares, people, random)):
        about = instance(number, subset)
        said = np.repeat(WORDS, counts.astype(int)).tolist()
        yield Case(
            about, [Label(about.id, f"r{rater}", BETTER, None, word, None) for rater, word in enumerate(said)], {}
        )


def test_a_planted_ceiling_lies_within_its_interval_as_often_as_that_says() -> None:
    true = float(np.random.default_rng(1).dirichlet((0.9, 0.8, 0.3), 400_000).max(axis=1).mean())
    seeds = [str(seed) for seed in range(150)]
    worlds = (case for seed in seeds for case in cases(seed, 200, np.random.default_rng(int(seed))))
    share = coverage(worlds, seeds, {"noise_ceiling": true}, Bootstrap(seed=5, replicates=300, level=0.95))
    assert 0.90 <= share["noise_ceiling"] <= 0.99


def test_with_one_rater_there_is_no_ceiling() -> None:
    one = list(cases("one", 50, np.random.default_rng(1), people=1))
    for name in ("noise_ceiling", "noise_ceiling_pearson"):
        measured = of_cases(name, one, question=BETTER)
        assert np.isnan(measured.value) and measured.n == 0


def test_items_of_different_numbers_of_people_count_as_one_each() -> None:
    some, more = (
        list(cases(subset, 4000, np.random.default_rng(6), people)) for subset, people in (("a", 3), ("b", 5))
    )
    true = float(np.random.default_rng(1).dirichlet((0.9, 0.8, 0.3), 400_000).max(axis=1).mean())
    assert of_cases("noise_ceiling", [*some, *more]).value == pytest.approx(true, abs=0.015)


def test_where_all_agree_a_judge_could_always_be_right() -> None:
    about = [instance(number) for number in range(30)]
    words = ["first" if number % 2 else "second" for number in range(30)]
    same = [
        Case(one, [Label(one.id, rater, BETTER, None, word, None) for rater in "abc"], {})
        for one, word in zip(about, words, strict=True)
    ]
    assert of_cases("noise_ceiling", same).value == pytest.approx(1.0)


def judged(people: int) -> list[Case]:
    said = cases("easy", 60, np.random.default_rng(6), people)
    both = ((PLAIN, "first"), (SWAPPED, "first"))
    return [
        Case(one.instance, one.labels, {JUDGE: [verdict(one.instance, place, word, word) for place, word in both]})
        for one in said
    ]


def test_a_table_of_judges_tells_the_ceiling_of_what_they_are_held_against() -> None:
    columns = {"EASY": Pick(subsets=["easy"]), "Half": Pick(mean=["EASY"])}
    shown = table(metrics=["loo", "position_bias"], rows={"Judge": ROW}, columns=columns)
    made = Measuring(shown, BOOTSTRAP, {"bench": Listed(judged(4))}).cells()
    [mark] = {
        m for cell in made if (cell.column, cell.metric) == ("EASY", "loo") for m in cell.marks if NOISE_CEILING in m
    }
    alone = of_cases("noise_ceiling", judged(4))
    assert mark.startswith(f"noise ceiling {100 * alone.value:.1f} % (")
    others = [cell for cell in made if cell.column == "Half" or cell.metric == "position_bias"]
    assert others and not any(NOISE_CEILING in mark for cell in others for mark in cell.marks)
    below = notes(shown, made)
    assert CEILING in below and any(mark[1:] in line for line in below)


def test_people_who_are_measured_themselves_are_under_no_ceiling_of_judges() -> None:
    rows = {name: Pick(options={"person": name}) for name in ("people", "r0")}
    shown = table(metrics=["loo"], rows=rows)
    made = Measuring(shown, BOOTSTRAP, {"bench": Listed(judged(4))}).cells()
    assert [cell.value is not None for cell in made] == [True] * len(made)
    assert not any(NOISE_CEILING in mark for cell in made for mark in cell.marks)
    assert CEILING not in notes(shown, made)


def test_a_table_on_labels_of_one_person_says_that_it_has_no_ceiling() -> None:
    shown = table(metrics=["acc"], rows={"Judge": Pick(**vars(ROW) | {"options": {"rater": "r0"}})})
    made = Measuring(shown, BOOTSTRAP, {"bench": Listed(judged(1))}).cells()
    assert all(ONE_PERSON in cell.marks for cell in made) and CEILING not in notes(shown, made)
