"""How often a judge that always says what most people would say agrees with one more person: estimated from few.

Of an item that people answer in shares p it is the largest share. Two numbers are known without a model: how often one
of the k people at hand agrees with the majority of the others, which is too low, as k - 1 people know the majority
badly; and how often with the majority of all k, which is too high, as it counts the person's own vote. Between these it
lies; where, is taken from what both are, and what the true value is, if the shares of the items follow a Dirichlet
distribution with the shares and the agreement of two people that are found (method of moments). So the estimate is
right, whatever the number of people, where shares vary like that, and what the model gets wrong matters the less, the
more people there are, as the two numbers close in on each other.

Its bias in populations of 60,000 items (tests/unit/measuring/test_noise_ceiling.py): less than 0.01 where shares are
Dirichlet, of two words or three, U-shaped or flat, and where half of the items are clear and half are not. Where all
items are equally hard, with one right word that eight of ten say, it is 0.04 too low with 2 or 3 people, 0.025 with 4
or 5, 0.005 with 10; with three words of which seven of ten say the right one 0.05, 0.035 and 0.01. Where items are
either certain or a coin's throw, it is 0.05 too high with 2 or 3, 0.04 with 4 or 5, 0.025 with 10. With two or three
people nothing in the data tells these apart: they agree as often. The leave-one-out number alone is 0.12 too low in the
first case, the majority of all 0.10 too high in the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np

from plumbline.measuring.bootstrap import Floats

MOST_WAYS = 500
"""Of more ways to answer than these, the middle between both numbers is taken, which then differ little."""
NODES = 64
CHUNK = 1000
LEAST, MOST = 1e-4, 1.0 - 1e-6
"""Between these lies the agreement beyond chance that a Dirichlet distribution can have."""


class Ways(NamedTuple):
    """All ways in which so many people can answer with so many words, and what each comes to."""

    counts: Floats
    """How often each word is said."""
    others: Floats
    """How often one of them agrees with the majority of the others; words said equally often by their chances."""
    everyone: Floats
    """How often one of them agrees with the majority of all."""


def majorities(counts: Floats) -> tuple[Floats, Floats]:
    """Of items (…, words) how often one person agrees with the majority of the others, and with that of all."""
    people = counts.sum(axis=-1)
    agreeing = np.zeros(people.shape)
    for word in range(counts.shape[-1]):
        rest = counts - (np.arange(counts.shape[-1]) == word)
        ahead = rest == rest.max(axis=-1, keepdims=True)
        agreeing += counts[..., word] * ahead[..., word] / ahead.sum(axis=-1)
    return agreeing / people, counts.max(axis=-1) / people


@cache
def ways(people: int, words: int) -> Ways:
    counts = np.array(list(_shared_out(people, words)), dtype=np.float64)
    return Ways(counts, *majorities(counts))


def _shared_out(people: int, words: int) -> Iterator[tuple[int, ...]]:
    if words == 1:
        yield (people,)
        return
    for first in range(people + 1):
        yield from ((first, *rest) for rest in _shared_out(people - first, words - 1))


def dirichlet(shares: Floats, agreement: Floats) -> Floats:
    """The parameters (…, words) with these mean shares, and with which two people agree so often."""
    by_chance = (shares**2).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        beyond = np.clip((agreement - by_chance) / (1.0 - by_chance), LEAST, MOST)
    return np.asarray(np.maximum(shares, LEAST) * (1.0 / beyond - 1.0)[..., None])


def largest_share(parameters: Floats) -> Floats:
    """The mean of the largest share of a Dirichlet distribution: that of the largest of as many gamma variables, over
    the mean of their sum."""
    from scipy.special import gammainc

    points, weights = np.polynomial.legendre.leggauss(NODES)
    total = parameters.sum(axis=-1)
    top, at = total + 12.0 * np.sqrt(total) + 25.0, (points + 1.0) / 2.0
    means = np.zeros(total.shape)
    for start in range(0, len(total), CHUNK):
        rows = slice(start, start + CHUNK)
        below = np.ones((len(total[rows]), NODES))
        for word in range(parameters.shape[-1]):
            below *= gammainc(parameters[rows, word, None], top[rows, None] * at**4)
        means[rows] = ((1.0 - below) * (weights / 2.0 * 4.0 * at**3)).sum(axis=-1) * top[rows] / total[rows]
    return means


def chances(counts: Floats, parameters: Floats) -> Floats:
    """The probability of each way to answer (…, ways) where shares are Dirichlet."""
    from scipy.special import gammaln

    people, total = counts[0].sum(), parameters.sum(axis=-1)
    logs = np.repeat((gammaln(total) - gammaln(total + people))[..., None], len(counts), axis=-1)
    for word, said in enumerate(counts.T):
        own = parameters[..., word, None]
        logs += gammaln(said + own) - gammaln(own)
    return np.asarray(np.exp(logs + gammaln(people + 1.0) - gammaln(counts + 1.0).sum(axis=-1)))


def between(parameters: Floats, largest: Floats, people: int) -> Floats:
    """Where between both numbers of so many people the true one lies: 0 at that of the others, 1 at that of all."""
    words = parameters.shape[-1]
    if comb(people + words - 1, words - 1) > MOST_WAYS:
        return np.full(len(parameters), 0.5)
    known = ways(people, words)
    chance = chances(known.counts, parameters)
    low, high = chance @ known.others, chance @ known.everyone
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(high - low > 1e-9, np.clip((largest - low) / (high - low), 0.0, 1.0), 0.5)


def ceiling(shares: Floats, agreement: Floats, by_people: dict[int, tuple[Floats, Floats, Floats]]) -> Floats:
    """The estimate in some samples: from the mean shares of the words (samples, words), how often two people agree, and
    by the number of people the items and the sums of both numbers over these."""
    parameters = dirichlet(shares, agreement)
    largest = largest_share(parameters)
    total, items = np.zeros(len(shares)), np.zeros(len(shares))
    for people, (number, others, everyone) in by_people.items():
        total += others + between(parameters, largest, people) * (everyone - others)
        items += number
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / items)
