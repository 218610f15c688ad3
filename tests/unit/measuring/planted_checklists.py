"""Planted effects in answers to checklists; the true values follow from the plan of each world alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from invented import JUDGE, instance, verdict
from plumbline.data.instances import CHECKLIST
from plumbline.data.labels import CATEGORY, GOLD, Label
from plumbline.data.verdicts import NOTHING, alone
from plumbline.measuring.cases import Case, Judge

OTHER_JUDGE = Judge("other", "tick")
WORD = {True: "yes", False: "no"}


@dataclass(frozen=True)
class Majorities:
    """Three people and a judge who each see what is true, with mistakes; the judge sometimes gives no answer."""

    people: float = 0.15
    judge: float = 0.2
    unparsed: float = 0.1

    def cases(self, subset: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        for number in range(n):
            questions = tuple(f"Is it {place}?" for place in range(int(random.integers(1, 6))))
            about = instance(number, subset, (1,), context={CHECKLIST: questions})
            labels, said = [], []
            for question in questions:
                truth = random.random() < 0.6
                for rater in range(3):
                    word = WORD[truth ^ (random.random() < self.people)]
                    labels.append(Label(about.id, f"r{rater}", question, 0, word, None))
                word = "unparsed" if random.random() < self.unparsed else WORD[truth ^ (random.random() < self.judge)]
                said.append(verdict(about, alone(0), word, word, question=question))
            yield Case(about, labels, {JUDGE: said})

    @property
    def true(self) -> dict[str, float]:
        wrong = self.people
        majority_right = (1 - wrong) ** 3 + 3 * (1 - wrong) ** 2 * wrong
        right = 1 - self.judge
        return {"question_acc": (1 - self.unparsed) * (right * majority_right + (1 - right) * (1 - majority_right))}


@dataclass(frozen=True)
class TwoChecklists:
    """Two judges, each with a checklist of its own for responses of which some are better than others."""

    good: tuple[float, float] = (0.85, 0.4)
    lengths: tuple[int, int] = (4, 6)

    def cases(self, subset: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        for number in range(n):
            about, rate = instance(number, subset, (1,)), self.good[int(random.integers(2))]
            said: dict[Judge, Any] = {}
            for judge, length in zip((JUDGE, OTHER_JUDGE), self.lengths, strict=True):
                words = [WORD[bool(yes)] for yes in random.random(length) < rate]
                said[judge] = [verdict(about, alone(0), w, w, question=f"{judge} {q}") for q, w in enumerate(words)]
            yield Case(about, [], said)

    @property
    def true(self) -> dict[str, float]:
        between = float(np.var(self.good))
        noise = float(np.mean([rate * (1 - rate) for rate in self.good]))
        first, second = (between + noise / length for length in self.lengths)
        return {"pass_pearson": between / math.sqrt(first * second)}


@dataclass(frozen=True)
class Lengths:
    """Longer checklists are passed less often; some have fewer questions than two and some more than eight."""

    rate: tuple[tuple[int, float], ...] = ((1, 0.9), (4, 0.7), (12, 0.4))

    def cases(self, subset: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        for number in range(n):
            length, rate = self.rate[int(random.integers(len(self.rate)))]
            questions = tuple(f"q{place}" for place in range(length))
            about = instance(number, subset, (1,), context={CHECKLIST: questions})
            words = [WORD[bool(yes)] for yes in random.random(length) < rate]
            said = [verdict(about, alone(0), w, w, question=q) for q, w in zip(questions, words, strict=True)]
            yield Case(about, [], {JUDGE: said})

    @property
    def true(self) -> dict[str, float]:
        lengths, rates = (np.array(column) for column in zip(*self.rate, strict=True))
        covariance = float(np.mean(lengths * rates) - lengths.mean() * rates.mean())
        variance = float(rates.var() + np.mean(rates * (1 - rates) / lengths))
        return {
            "questions": float(lengths.mean()),
            "two_to_eight": 1 / 3,
            "length_pearson": covariance / math.sqrt(lengths.var() * variance),
        }


@dataclass(frozen=True)
class Categories:
    """Categories that a judge finds, each given one with some chance and each other one with another."""

    given: tuple[tuple[str, ...], ...] = (("a",), ("a", "b"), ("b", "c", "d"))
    found: float = 0.8
    invented: float = 0.2

    def chance(self, name: str, given: tuple[str, ...]) -> float:
        return self.found if name in given else self.invented

    def cases(self, subset: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        for number in range(n):
            about = instance(number, subset, ())
            given = self.given[int(random.integers(len(self.given)))]
            labels = [Label(about.id, GOLD, CATEGORY, None, word, None) for word in given]
            words = {name: WORD[random.random() < self.chance(name, given)] for name in "abcd"}
            said = [verdict(about, NOTHING, w, w, question=f"category {name}") for name, w in words.items()]
            yield Case(about, labels, {JUDGE: said})

    @property
    def true(self) -> dict[str, float]:
        total = dict.fromkeys(("category_precision", "category_recall", "category_f1"), 0.0)
        for given in self.given:
            for outcome in product([True, False], repeat=4):
                chances = [
                    self.chance(n, given) if yes else 1 - self.chance(n, given)
                    for n, yes in zip("abcd", outcome, strict=True)
                ]
                weight = math.prod(chances) / len(self.given)
                found = {name for name, yes in zip("abcd", outcome, strict=True) if yes}
                both = len(found & set(given))
                total["category_precision"] += weight * (both / len(found) if found else 0.0)
                total["category_recall"] += weight * both / len(given)
                total["category_f1"] += weight * 2 * both / (len(found) + len(given))
        return total


WORLDS = (Majorities(), TwoChecklists(), Lengths(), Categories())
