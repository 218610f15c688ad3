"""Judges beside one another and beside rules that any judge should beat: scores with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.measuring.bootstrap import Bootstrap, Estimate, Floats
from plumbline.measuring.cases import Judge
from plumbline.measuring.measures.preferences import right
from plumbline.measuring.paired import Compared
from plumbline.measuring.raters import TIE
from plumbline.report.votes import CHOICES, Item, score_of

POWER = 1.959964 + 0.841621
"""A difference of so many standard errors is found in four of five samples (two-sided, 5 %)."""
LONGER, SHORTER, COMMONEST = "always the longer output", "always the shorter output", "always the commonest answer"


@dataclass(frozen=True)
class Beside:
    """One judge beside the rule that does best without reading."""

    n: int
    score: Estimate
    chance: float | None
    """What guessing scores; none where people answer with numbers."""
    rule: str
    """Empty where there is none."""
    rule_score: float
    difference: Estimate | None
    """From the rule's score."""

    @property
    def better_than_chance(self) -> bool | None:
        if self.chance is None or np.isnan(self.score.low):
            return None
        return self.score.low > self.chance

    @property
    def unseen(self) -> float | None:
        """A smaller difference from the rule would have been missed more often than in one of five samples."""
        return None if self.difference is None else POWER * self.difference.se


def matrix(items: Sequence[Item], judges: Sequence[Judge]) -> Floats:
    """The score of each judge on each item."""
    scores = [[score_of(item, judge) for judge in judges] for item in items]
    return np.array([[np.nan if s is None else s for s in line] for line in scores], dtype=np.float64).reshape(
        len(items), len(judges)
    )


def rules(items: Sequence[Item]) -> dict[str, list[float]]:
    """What rules score that read nothing."""
    if all(item.people in (*CHOICES, TIE) and len(item.lengths) == 2 for item in items):
        other = {"first": "second", "second": "first"}
        return {
            LONGER: [right(item.longer, item.people) if item.longer else 0.5 for item in items],
            SHORTER: [right(other[item.longer], item.people) if item.longer else 0.5 for item in items],
        }
    words = Counter(item.people for item in items)
    if len(words) < 2 or any(word[:1].isdigit() or word[:1] == "-" for word in words):
        return {}
    commonest = words.most_common(1)[0][0]
    return {COMMONEST: [float(item.people == commonest) for item in items]}


def chance_of(items: Sequence[Item]) -> float | None:
    words = {item.people for item in items}
    return 0.5 if words <= {"first", "second", "tie"} or words <= {"yes", "no"} else None


def beside_rules(items: Sequence[Item], judges: Sequence[Judge], bootstrap: Bootstrap, name: str) -> list[Beside]:
    """Each judge on the items that it voted on."""
    simple = rules(items)
    scores = matrix(items, judges)
    columns = [scores, *(np.array(values)[:, None] for values in simple.values())]
    clusters = np.unique([item.instance for item in items], return_inverse=True)[1]  # items of one instance go together
    compared = Compared.of(np.concatenate(columns, axis=1), bootstrap, ("report", name), clusters)
    found = []
    for number in range(len(judges)):
        there = ~np.isnan(scores[:, number])
        best, rule_score = _best(simple, there)
        column = len(judges) + list(simple).index(best) if best else None
        difference = None if column is None else compared.difference(number, column)
        found.append(Beside(int(there.sum()), compared.value(number), chance_of(items), best, rule_score, difference))
    return found


def _best(simple: dict[str, list[float]], there: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[str, float]:
    """The rule that does best where the judge voted."""
    if not simple or not there.any():
        return "", float("nan")
    scores = {name: float(np.array(values)[there].mean()) for name, values in simple.items()}
    best = max(scores, key=lambda name: scores[name])
    return best, scores[best]
