"""Planted effects in what a scorer chooses and a rewriter makes; the true values follow from all that can happen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from statistics import fmean
from typing import Any

import numpy as np
from invented import JUDGE, instance, verdict
from plumbline.data.instances import CHECKLIST, Output
from plumbline.data.verdicts import alone
from plumbline.measuring.cases import Case, Judge

SCORER = Judge("writer", "direct")
QUESTIONS = ("Is it 0?", "Is it 1?")
OUTPUTS = 3
BY_SCORER = {"scorer": SCORER, "scorer_question": "rating"}
ROUND = {"systems": ("s1",), "than": "s0"}
PICKS: dict[str, dict[str, Any]] = {
    "selected": BY_SCORER,
    "selected_score": {"question": "rating", **BY_SCORER},
    "selection_precision": BY_SCORER,
    "oracle_share": BY_SCORER,
    "worse": ROUND,
    "stopped": ROUND,
    "kept": ROUND,
}
Drawn = tuple[tuple[bool, bool], ...]
"""Of each output, whether it is good, and whether the scorer finds it so."""


@dataclass(frozen=True)
class Selection:
    """Outputs that pass both questions or none, a scorer that is often right, and a text that may be the one before."""

    good: float = 0.4
    right: float = 0.8
    same: float = 0.4
    of_no_use: float = 0.3
    """Of the texts that are the one before."""

    def cases(self, subset: str, n: int, random: np.random.Generator) -> Iterator[Case]:
        good = random.random((n, OUTPUTS)) < self.good
        seen = np.where(random.random((n, OUTPUTS)) < self.right, good, ~good).tolist()
        same, of_no_use = random.random(n) < self.same, random.random(n) < self.of_no_use
        for number in range(n):
            texts = ["text 0", "text 0" if same[number] else "text 1", "text 2"]
            about = instance(number, subset, (1,), context={CHECKLIST: QUESTIONS})
            flawed = {"s1": "kept"} if same[number] and of_no_use[number] else {}
            outputs = tuple(Output(f"s{place}", text) for place, text in enumerate(texts))
            about = replace(about, outputs=outputs, flawed=flawed)
            verdicts = []
            for output, is_good in enumerate(good[number].tolist()):
                word, rating = ("yes", 5.0) if is_good else ("no", 1.0)
                verdicts += [verdict(about, alone(output), word, word, question) for question in QUESTIONS]
                verdicts.append(verdict(about, alone(output), rating, rating, "rating"))
            scored = [
                verdict(about, alone(output), float(score), float(score), "rating", protocol=SCORER.protocol)
                for output, score in enumerate(seen[number])
            ]
            yield Case(about, [], {JUDGE: verdicts, SCORER: scored})

    def all_that_can_happen(self) -> Iterator[tuple[Drawn, float]]:
        """With how likely it is."""
        one = [
            (
                (is_good, is_good == right),
                (self.good if is_good else 1 - self.good) * (self.right if right else 1 - self.right),
            )
            for is_good, right in product((True, False), repeat=2)
        ]
        for drawn in product(one, repeat=OUTPUTS):
            yield tuple(output for output, _ in drawn), prod(likely for _, likely in drawn)

    @property
    def true(self) -> dict[str, float]:
        chosen = sum(likely * fmean(kept(drawn)) for drawn, likely in self.all_that_can_happen())
        best = sum(likely * max(good for good, _ in drawn) for drawn, likely in self.all_that_can_happen())
        precise = sum(
            likely * fmean(good == max(good for good, _ in drawn) for good in kept(drawn))
            for drawn, likely in self.all_that_can_happen()
        )
        return {
            "selected": chosen,
            "selected_score": 1 + 4 * chosen,
            "selection_precision": precise,
            "oracle_share": (chosen - self.good) / (best - self.good),
            "worse": self.good * (1 - self.good),
            "stopped": self.same * (1 - self.of_no_use),
            "kept": self.same * self.of_no_use,
        }


def kept(drawn: Drawn) -> list[bool]:
    """Which of the outputs that the scorer finds best are good."""
    most = max(seen for _, seen in drawn)
    return [good for good, seen in drawn if seen == most]
