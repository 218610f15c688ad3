"""Planted effects in answers to checklists; the true values follow from the plan of each world alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from invented import JUDGE, instance, verdict
from plumbline.data.instances import CHECKLIST
from plumbline.data.labels import CATEGORY, GOLD, Label
from plumbline.data.verdicts import NOTHING, alone
from plumbline.measuring.cases import Case, Judge

OTHER_JUDGE = Judge("other", "tick")
ALONE = alone(0)
WRITTEN = "written_checklist"
PICKS = {"pass_pearson": {"against": OTHER_JUDGE}, "pass_pearson_people": {"checklist": WRITTEN}}


@dataclass(frozen=True)
class Majorities:
    """Three people and a judge who each see what is true, with mistakes; the judge sometimes gives no answer."""

    people: float = 0.15
    judge: float = 0.2
    unparsed: float = 0.1
    raters: tuple[str, ...] = ("r0", "r1", "r2")
    questions: tuple[str, ...] = tuple(f"Is it {place}?" for place in range(5))
    """The longest checklist; others end earlier."""

    def cases(self, subset: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        lengths = random.integers(1, 6, size=n).tolist()
        truth = random.random((n, 5, 1)) < 0.6
        raters = np.where(truth ^ (random.random((n, 5, 3)) < self.people), "yes", "no").tolist()
        answered = np.where(truth ^ (random.random((n, 5, 1)) < self.judge), "yes", "no")
        words = np.where(random.random((n, 5, 1)) < self.unparsed, "unparsed", answered)[..., 0].tolist()
        for number, length in enumerate(lengths):
            questions = self.questions[:length]
            about = instance(number, subset, (1,), context={CHECKLIST: questions})
            labels = [
                Label(about.id, rater, question, 0, word, None)
                for question, people in zip(questions, raters[number], strict=False)
                for rater, word in zip(self.raters, people, strict=True)
            ]
            verdicts = [verdict(about, ALONE, w, w, q) for q, w in zip(questions, words[number], strict=False)]
            yield Case(about, labels, {JUDGE: verdicts})

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
        rates = random.choice(self.good, (n, 1))
        asked = []
        for judge, length in zip((JUDGE, OTHER_JUDGE), self.lengths, strict=True):
            words = np.where(random.random((n, length)) < rates, "yes", "no").tolist()
            asked.append((judge, [f"{judge.model} {place}" for place in range(length)], words))
        for number in range(n):
            about = instance(number, subset, (1,))
            verdicts = {
                judge: [verdict(about, ALONE, w, w, q) for q, w in zip(questions, words[number], strict=True)]
                for judge, questions, words in asked
            }
            yield Case(about, [], verdicts)

    @property
    def true(self) -> dict[str, float]:
        between = float(np.var(self.good))
        noise = float(np.mean([rate * (1 - rate) for rate in self.good]))
        first, second = (between + noise / length for length in self.lengths)
        return {"pass_pearson": between / math.sqrt(first * second)}


@dataclass(frozen=True)
class PeoplesChecklists:
    """Three people who answer two checklists of one response, with mistakes."""

    good: tuple[float, float] = (0.85, 0.4)
    wrong: float = 0.15
    lengths: tuple[tuple[str, int], ...] = ((WRITTEN, 4), (CHECKLIST, 6))
    raters: tuple[str, ...] = ("r0", "r1", "r2")

    def cases(self, subset: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        rates = random.choice(self.good, (n, 1, 1))
        asked = {name: [f"{name} {place}" for place in range(length)] for name, length in self.lengths}
        questions = [question for texts in asked.values() for question in texts]
        truth = random.random((n, len(questions), 1)) < rates
        words = np.where(truth ^ (random.random((n, len(questions), 3)) < self.wrong), "yes", "no").tolist()
        context = {name: tuple(texts) for name, texts in asked.items()}
        for number in range(n):
            about = instance(number, subset, (1,), context=context)
            labels = [
                Label(about.id, rater, question, 0, word, None)
                for question, said in zip(questions, words[number], strict=True)
                for rater, word in zip(self.raters, said, strict=True)
            ]
            yield Case(about, labels, {})

    @property
    def true(self) -> dict[str, float]:
        right = (1 - self.wrong) ** 3 + 3 * (1 - self.wrong) ** 2 * self.wrong
        rates = [rate * right + (1 - rate) * (1 - right) for rate in self.good]
        noise = float(np.mean([rate * (1 - rate) for rate in rates]))
        first, second = (float(np.var(rates)) + noise / length for _, length in self.lengths)
        return {"pass_pearson_people": float(np.var(rates)) / math.sqrt(first * second)}


@dataclass(frozen=True)
class Lengths:
    """Longer checklists are passed less often; some have fewer questions than two and some more than eight."""

    rate: tuple[tuple[int, float], ...] = ((1, 0.9), (4, 0.7), (12, 0.4))

    def cases(self, subset: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        lengths, rates = (np.array(column) for column in zip(*self.rate, strict=True))
        kinds = random.integers(len(self.rate), size=n)
        words = np.where(random.random((n, lengths.max())) < rates[kinds, None], "yes", "no").tolist()
        checklists = [tuple(f"q{place}" for place in range(length)) for length in lengths]
        for number, kind in enumerate(kinds.tolist()):
            questions = checklists[kind]
            about = instance(number, subset, (1,), context={CHECKLIST: questions})
            verdicts = [verdict(about, ALONE, w, w, q) for q, w in zip(questions, words[number], strict=False)]
            yield Case(about, [], {JUDGE: verdicts})

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

    true_sets: tuple[tuple[str, ...], ...] = (("a",), ("a", "b"), ("b", "c", "d"))
    hit: float = 0.8
    false_alarm: float = 0.2

    def chance(self, name: str, true_names: tuple[str, ...]) -> float:
        return self.hit if name in true_names else self.false_alarm

    def cases(self, subset: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        names = "abcd"
        questions = [f"category {name}" for name in names]
        chances = np.array([[self.chance(name, true_names) for name in names] for true_names in self.true_sets])
        kinds = random.integers(len(self.true_sets), size=n)
        words = np.where(random.random((n, len(names))) < chances[kinds], "yes", "no").tolist()
        for number, kind in enumerate(kinds.tolist()):
            about = instance(number, subset, ())
            labels = [Label(about.id, GOLD, CATEGORY, None, word, None) for word in self.true_sets[kind]]
            verdicts = [verdict(about, NOTHING, w, w, q) for q, w in zip(questions, words[number], strict=True)]
            yield Case(about, labels, {JUDGE: verdicts})

    @property
    def true(self) -> dict[str, float]:
        total = dict.fromkeys(("category_precision", "category_recall", "category_f1"), 0.0)
        for true_names in self.true_sets:
            for outcome in product([True, False], repeat=4):
                chances = [
                    self.chance(n, true_names) if yes else 1 - self.chance(n, true_names)
                    for n, yes in zip("abcd", outcome, strict=True)
                ]
                weight = math.prod(chances) / len(self.true_sets)
                judged = {name for name, yes in zip("abcd", outcome, strict=True) if yes}
                both = len(judged & set(true_names))
                total["category_precision"] += weight * (both / len(judged) if judged else 0.0)
                total["category_recall"] += weight * both / len(true_names)
                total["category_f1"] += weight * 2 * both / (len(judged) + len(true_names))
        return total


WORLDS = (Majorities(), TwoChecklists(), PeoplesChecklists(), Lengths(), Categories())
