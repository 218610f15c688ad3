"""Krippendorff's alpha of many sets at once, against worked examples and against the `krippendorff` package."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from plumbline.measuring.alpha import LEVELS, Level, Weighing, alphas
from plumbline.measuring.bootstrap import Floats

X = np.nan
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, X, X, X],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, X, 3],
    [X, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, X],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, X],
]
"""Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C: four observers, twelve units."""
TWO_OBSERVERS = [[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]
"""The same, example A: two observers, ten units, two categories."""
LETTERS = [[1, 1, 2, 2, 4, 3, 3, 3, 5, 4, 4, 1], [2, 1, 2, 2, 2, 3, 3, 3, 5, 4, 4, 4]]
"""The same, example B: two observers, twelve units, the categories a to e."""


def of(raters: object, level: Level) -> float:
    return float(alphas(np.array(raters, dtype=float).T[None], level)[0])


@pytest.mark.parametrize(
    ("raters", "level", "printed"),
    [
        (TWO_OBSERVERS, "nominal", 0.095),
        (LETTERS, "nominal", 0.692),
        (FOUR_OBSERVERS, "nominal", 0.743),
        (FOUR_OBSERVERS, "ordinal", 0.815),
        (FOUR_OBSERVERS, "interval", 0.849),
    ],
)
def test_krippendorffs_own_examples_come_out(raters: object, level: Level, printed: float) -> None:
    assert round(of(raters, level), 3) == printed


def random_sets(sets: int, units: int, raters: int, values: Floats, seed: int, gaps: float = 0.3) -> Floats:
    random = np.random.default_rng(seed)
    ratings = random.choice(values, size=(sets, units, raters))
    return np.where(random.random(ratings.shape) < gaps, np.nan, ratings)


def package(ratings: Floats, level: Level) -> float:
    """The package's alpha; NaN where it has none: no unit with two ratings, or pairable ratings all alike."""
    paired = ratings[(~np.isnan(ratings)).sum(axis=1) >= 2]
    if len(np.unique(paired[~np.isnan(paired)])) < 2:
        return np.nan
    return float(krippendorff.alpha(reliability_data=paired.T, level_of_measurement=level))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("values", [np.arange(1, 6), np.array([0.0, 1.0]), np.linspace(0, 100, 101)])
def test_many_sets_at_once_equal_the_package_one_by_one(level: Level, values: Floats) -> None:
    sets = random_sets(300, 3, 4, values, seed=len(values))
    expected = np.array([package(each, level) for each in sets])
    assert np.allclose(alphas(sets, level), expected, rtol=0, atol=1e-12, equal_nan=True)
    assert np.isnan(expected).any() or len(values) > 5
    assert not np.isnan(expected).all()


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_drawn_documents_is_that_of_the_repeated_ratings(level: Level) -> None:
    """Documents of three units each, drawn with replacement: the package is given each as often as it was drawn."""
    documents = random_sets(40, 3, 4, np.arange(0, 101, 10.0), seed=7)
    owner = np.repeat(np.arange(40), 3)
    random = np.random.default_rng(8)
    weights = np.stack([np.bincount(random.integers(40, size=40), minlength=40) for _ in range(50)]).astype(float)
    ours = Weighing(documents.reshape(120, 4), owner, 40).alpha(level)(weights)
    theirs = [
        package(np.concatenate([documents[d] for d in np.repeat(np.arange(40), w.astype(int))]), level) for w in weights
    ]
    assert np.allclose(ours, theirs, rtol=0, atol=1e-12)


def test_ratings_far_from_nought_keep_their_digits() -> None:
    sets = random_sets(50, 5, 3, np.arange(1, 6.0), seed=3)
    assert np.allclose(alphas(sets + 1e6, "interval"), alphas(sets, "interval"), atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_not_defined_where_nothing_could_disagree(level: Level) -> None:
    alike = np.full((1, 3, 3), 0.1)
    single = np.array([[[1, X, X], [2, X, X], [X, 5, X]]])
    silent = np.full((1, 2, 2), X)
    for ratings in (alike, single, silent):
        assert np.isnan(alphas(ratings, level)).all()
        assert np.isnan(
            Weighing(ratings[0], np.arange(len(ratings[0])), len(ratings[0])).alpha(level)(
                np.ones((1, 9))[:, : len(ratings[0])]
            )
        ).all()


def test_half_stars_are_values_like_others() -> None:
    raters = [[1, 2.5, 4, 5], [1.5, 2.5, 4, 4.5]]
    doubled = [[2 * rating for rating in rater] for rater in raters]
    assert of(raters, "interval") == pytest.approx(of(doubled, "interval"), abs=1e-12)
    assert of(raters, "ordinal") == pytest.approx(package(np.array(raters).T, "ordinal"), abs=1e-12)
