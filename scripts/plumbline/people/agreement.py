"""The second pass: who sees which pairs blind, and how far people agree (LLMBar, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from plumbline.data.labelled import Labelled
from plumbline.derive.review import Decision, Queue
from plumbline.measuring.measures.beyond_chance import cohen_kappa
from plumbline.records.errors import PlumblineError
from plumbline.records.files import digest_value

CHOICES = ("first", "second", "tie")


@dataclass(frozen=True)
class Agreement:
    """How far those who saw the same pairs agree."""

    group: str
    items: int
    """Pairs that two or more people saw."""
    agreeing: float
    """On how many of them they agree; of three or more people the mean share of agreeing twos."""
    share: float | None
    kappa: float | None
    """Cohen's: the mean over all twos of reviewers, weighted by the pairs that both saw."""
    alpha: float | None
    """Krippendorff's."""
    right: float | None
    """The share of all choices that name the gold output."""


def assign(
    items: Iterable[str], reviewers: Sequence[str], sample: int, each: int = 2, seed: int = 0
) -> dict[str, tuple[str, ...]]:
    """Draw `sample` pairs and give each to `each` of the reviewers, by hashes of the pair's id.

    A pair added to the set changes no other one's place in the draw nor its reviewers. Whoever decided on pairs in
    the first pass knows the labels and must not be among the reviewers.
    """
    if len(set(reviewers)) < each:
        raise PlumblineError(
            "there are too few reviewers for the second pass", expected=f"{each} or more", found=", ".join(reviewers)
        )
    drawn = sorted(set(items), key=lambda item: digest_value([seed, "sample", item]))[:sample]
    return {
        item: tuple(sorted(sorted(set(reviewers), key=lambda name: digest_value([seed, item, name]))[:each]))
        for item in drawn
    }


def uninvolved(reviewers: Iterable[str], first_pass: Iterable[Decision]) -> list[str]:
    """The reviewers who decided on no pair in the first pass, as the paper's second annotators did not."""
    curators = {decision.reviewer for decision in first_pass if decision.action != "prefer"}
    return [name for name in reviewers if name not in curators]


def agreement(
    pairs: Sequence[Labelled], decisions: Iterable[Decision], groups: Mapping[str, Sequence[str]]
) -> list[Agreement]:
    """A row for each group of subsets, and one for all pairs; preferences on changed pairs do not count."""
    by_id = {pair.id: pair for pair in pairs}
    choices: dict[str, dict[str, str]] = {}
    for (item, reviewer), decision in Queue(pairs).standing(decisions).items():
        if decision.choice:
            choices.setdefault(item, {})[reviewer] = decision.choice
    shared = {item: by_reviewer for item, by_reviewer in choices.items() if len(by_reviewer) > 1}
    parts = {name: [i for i in shared if by_id[i].instance.subset in subsets] for name, subsets in groups.items()}
    return [_row(name, [shared[i] for i in items], by_id, items) for name, items in {**parts, "all": [*shared]}.items()]


def _row(
    group: str, chosen: Sequence[Mapping[str, str]], by_id: Mapping[str, Labelled], items: Sequence[str]
) -> Agreement:
    agreeing = [float(np.mean([a == b for a, b in combinations(choices.values(), 2)])) for choices in chosen]
    right = [c == by_id[item].gold for item, choices in zip(items, chosen, strict=True) for c in choices.values()]
    return Agreement(
        group=group,
        items=len(chosen),
        agreeing=float(sum(agreeing)),
        share=float(np.mean(agreeing)) if chosen else None,
        kappa=kappa(chosen),
        alpha=alpha(chosen),
        right=float(np.mean(right)) if right else None,
    )


def kappa(chosen: Sequence[Mapping[str, str]]) -> float | None:
    """Cohen's kappa of two reviewers; of more, the mean over every two, weighted by the pairs that both saw.

    Two who chose one and the same throughout have none and are left out.
    """
    tables: dict[tuple[str, str], Any] = {}
    for choices in chosen:
        for one, other in combinations(sorted(choices), 2):
            table = tables.setdefault((one, other), np.zeros((len(CHOICES), len(CHOICES))))
            table[CHOICES.index(choices[one]), CHOICES.index(choices[other])] += 1
    if not tables:
        return None
    counts = np.stack(list(tables.values()))
    kappas, weights = cohen_kappa(counts), counts.sum(axis=(1, 2))
    defined = ~np.isnan(kappas)
    return float(np.average(kappas[defined], weights=weights[defined])) if defined.any() else None


def alpha(chosen: Sequence[Mapping[str, str]]) -> float | None:
    """Krippendorff's alpha for names; none where everybody chose one and the same throughout."""
    import krippendorff

    if len({choice for choices in chosen for choice in choices.values()}) < 2:
        return None
    reviewers = sorted({name for choices in chosen for name in choices})
    values = [[CHOICES.index(c[name]) if name in c else np.nan for c in chosen] for name in reviewers]
    return float(krippendorff.alpha(reliability_data=np.array(values, float), level_of_measurement="nominal"))
