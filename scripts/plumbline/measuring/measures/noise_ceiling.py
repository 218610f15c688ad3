"""The noise ceiling: how well a judge could do who always says what the population of people says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from plumbline.data.labels import BETTER
from plumbline.data.verdicts import Reading
from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cases import Case
from plumbline.measuring.ceiling import ceiling, majorities
from plumbline.measuring.cells import PERCENT
from plumbline.measuring.measure import Value, measure, weighed
from plumbline.measuring.options import SystemOptions
from plumbline.measuring.rated_items import Answer, answers_by_item
from plumbline.measuring.units import Observation, observer

ONE_RATER = "left out, answered by one person"


@dataclass(frozen=True)
class CeilingOptions(SystemOptions):
    """Of noise ceilings."""

    question: str = BETTER
    """Which question people answered; of a checklist in the context, its name there."""


class Said(NamedTuple):
    """What people say of the items of one instance that two of them or more answered."""

    items: tuple[tuple[Answer, ...], ...]
    missing: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    close: int = 0

    def describe(self, reading: Reading) -> str:
        return " | ".join(", ".join(map(str, answers)) for answers in self.items) or "one person"


@observer(options=CeilingOptions, describes="what people say of each item")
def said(case: Case, seen: Observation[CeilingOptions]) -> Said | None:
    """The answers to a question; nothing where nobody answered it."""
    items = answers_by_item(case, seen.options.question, seen.options.systems)
    answers = (tuple(sorted(each.values())) for each in items.values() if len(each) > 1)
    return Said(tuple(sorted(answers))) if items else None


def several(units: Sequence[Said], reading: Reading) -> Floats:
    """How many items of each instance have several answers; NaN where there are none."""
    return np.array([[len(unit.items) or np.nan] for unit in units], dtype=np.float64).reshape(len(units), 1)


@weighed("noise_ceiling", "Noise ceiling", said, several, unit=PERCENT, judged=False, undefined=ONE_RATER)
def noise_ceiling(units: Sequence[Said], reading: Reading) -> Value:
    """How often one more person agrees with a judge that always says what most people would say, in words.

    It is estimated from the people at hand, two of each item at least; between how often each agrees with the majority
    of the others (too low) and with that of all (too high), by a Dirichlet model of how people divide. With two or
    three people the model decides much: its bias is up to 0.05 where items are all equally hard or divide into certain
    ones and coin throws, and nothing in so few answers tells.
    """
    words = sorted({str(answer) for unit in units for item in unit.items for answer in item})
    owners = [row for row, unit in enumerate(units) for _ in unit.items]
    if not owners:
        return lambda weights: np.full(len(weights), np.nan)
    items = [item for unit in units for item in unit.items]
    counts = np.array([[[str(a) for a in item].count(word) for word in words] for item in items], dtype=np.float64)
    if len(words) == 1:
        return lambda weights: np.ones(len(weights))
    people = counts.sum(axis=1)
    pairs = (counts * (counts - 1.0)).sum(axis=1) / (people * (people - 1.0))
    columns = [np.ones(len(items)), pairs, *(counts / people[:, None]).T]
    sizes = sorted(set(people.tolist()))
    for size in sizes:
        columns += [(people == size) * column for column in (np.ones(len(items)), *majorities(counts))]
    totals = np.stack([np.bincount(owners, column, len(units)) for column in columns], axis=1)

    def value(weights: Floats) -> Floats:
        drawn = weights @ totals
        number, shared = drawn[:, 0], drawn[:, 2 : 2 + len(words)]
        starts = range(2 + len(words), totals.shape[1] + 1, 3)
        by_people = {
            int(size): (drawn[:, start], drawn[:, start + 1], drawn[:, start + 2])
            for size, (start, _) in zip(sizes, pairwise(starts), strict=True)
        }
        with np.errstate(invalid="ignore", divide="ignore"):
            return ceiling(shared / number[:, None], drawn[:, 1] / number, by_people)

    return value


def root_of_reliability(totals: Floats) -> Floats:
    """From the number of items, their mean answer, mean square and mean product of two people's answers."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, square, product = (totals[..., place] / totals[..., 0] for place in (1, 2, 3))
        varies = square - mean**2 > 1e-12 * square
        shared = (product - mean**2) / (square - mean**2)
        return np.where(varies, np.sqrt(np.clip(shared, 0.0, 1.0)), np.nan)


@measure(
    "noise_ceiling_pearson",
    "Noise ceiling",
    said,
    root_of_reliability,
    digits=3,
    judged=False,
    undefined=ONE_RATER,
    kind="correlation",
)
def noise_ceiling_pearson(units: Sequence[Said], reading: Reading) -> Floats:
    """Pearson's correlation of one more person's numbers with the mean that the population of people would give.

    It is the root of the intraclass correlation of single answers, from two of each item at least, and supposes nothing
    but that people are drawn at random. Of the mean of several people more can be foretold than of one.
    """
    rows = np.full((len(units), 4), np.nan)
    for row, unit in enumerate(units):
        if unit.items:
            rows[row] = sum(_moments(np.array(item, dtype=np.float64)) for item in unit.items)
    return rows


def _moments(answers: Floats) -> Floats:
    people, total, squares = len(answers), answers.sum(), (answers**2).sum()
    product = (total**2 - squares) / (people * (people - 1))
    return np.array([1.0, total / people, squares / people, product])
