"""Where judges and people disagree: how often, whether in both orders, and on which instances nearly all judges do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.measuring.cases import Judge
from plumbline.report.rendering import render
from plumbline.report.votes import BenchmarkNames, BenchmarkVotes, Item, consistent

DEPTH = 1
OUTCOMES = ("right", "wrong", "turned", "mixed")
"""With people in all votes; against them in all; other votes in other orders; or some vote is missing or a tie."""
PANEL = 4
"""A panel of judges has at least so many votes on an item: fewer are against people together too easily."""
LISTED = 12


@dataclass(frozen=True)
class Panel:
    """Judges whose votes are counted together."""

    name: str
    judges: list[Judge]

    def tally(self, item: Item) -> tuple[int, int]:
        """How many of their votes are against people, of how many."""
        votes = [vote for judge in self.judges for vote in item.votes.get(judge, ())]
        return sum(vote.against for vote in votes), len(votes)


@dataclass(frozen=True)
class Suspects:
    """The items that a whole panel judges against the label."""

    panel: Panel
    votes: int
    """On an item, at most."""
    items: list[Item]
    of: int


@dataclass(frozen=True)
class Outcomes:
    """How one judge's votes on one subset turn out."""

    n: int
    counts: dict[str, int]

    def share(self, outcome: str) -> float:
        return 100.0 * self.counts[outcome] / self.n if self.n else 0.0


def panels(votes: BenchmarkVotes) -> list[Panel]:
    """All judges; those of each model; and of each table those of one model, where it has several protocols."""
    panels_of_votes = [Panel("all judges", votes.judges)]
    for model in dict.fromkeys(judge.model for judge in votes.judges):
        panels_of_votes.append(Panel(f"{model}, all its protocols", [j for j in votes.judges if j.model == model]))
    for place, judges in votes.tables.items():
        for model in dict.fromkeys(judge.model for judge in judges):
            panels_of_votes.append(Panel(f"{model} in {place}", [j for j in judges if j.model == model]))
    different: dict[tuple[Judge, ...], Panel] = {}
    for panel in panels_of_votes:
        different.setdefault(tuple(panel.judges), panel)
    return [panel for panel in different.values() if max((panel.tally(i)[1] for i in votes.items), default=0) >= PANEL]


def suspects(panel: Panel, items: Iterable[Item]) -> Suspects:
    """Items on which every vote of a panel is against people; one on which some judge has none is left out."""
    tallies = [(item, *panel.tally(item)) for item in items]
    most = max((whole for _, _, whole in tallies), default=0)
    unanimous = [item for item, against, whole in tallies if whole == most and against == whole and whole]
    return Suspects(panel, most, unanimous, sum(whole == most for _, _, whole in tallies))


def outcome(item: Item, judge: Judge) -> str | None:
    votes = item.votes.get(judge)
    if not votes:
        return None
    if consistent(votes) is False and not any(vote.missing for vote in votes):
        return "turned"
    if all(vote.score == 1.0 for vote in votes):
        return "right"
    return "wrong" if all(vote.against for vote in votes) else "mixed"


def outcomes(items: Iterable[Item], judge: Judge) -> Outcomes:
    counts = dict.fromkeys(OUTCOMES, 0)
    for item in items:
        name = outcome(item, judge)
        if name:
            counts[name] += 1
    return Outcomes(sum(counts.values()), counts)


def disagreements_page(benchmark: BenchmarkNames, votes: BenchmarkVotes) -> str:
    subsets = votes.subsets
    by_subset = {subset: [item for item in votes.items if item.subset == subset] for subset in subsets}
    matrix = [
        (judge, outcomes(votes.items, judge), [outcomes(by_subset[subset], judge) for subset in subsets])
        for judge in votes.judges
    ]
    suspected = sorted(
        (suspects(panel, votes.items) for panel in panels(votes)), key=lambda one: (-one.votes, -len(one.items))
    )
    return render(
        "disagreements.html",
        DEPTH,
        benchmark=benchmark.name,
        title=benchmark.title,
        home=benchmark.home,
        subsets=subsets,
        matrix=[row for row in matrix if row[1].n],
        suspects=suspected,
        items=votes.items,
        listed=LISTED,
        label=votes.label,
        split=sum(item.split for item in votes.items),
    )


def disagreements_data(benchmark: str, votes: BenchmarkVotes) -> dict[str, Any]:
    """What the page filters: for each item each judge's votes, and which are against people."""
    numbers = {judge: number for number, judge in enumerate(votes.judges)}
    return {
        "benchmark": benchmark,
        "judges": [[*judge, votes.label(judge)] for judge in votes.judges],
        "panels": [[panel.name, [numbers[judge] for judge in panel.judges]] for panel in panels(votes)],
        "items": [item_data(item, numbers) for item in votes.items],
    }


def item_data(item: Item, numbers: dict[Judge, int]) -> list[Any]:
    by_judge: dict[int, Sequence[Any]] = {
        numbers[judge]: [[vote.showing, vote.answer, int(vote.against)] for vote in given]
        for judge, given in item.votes.items()
    }
    asked = "" if item.about is None else f"{item.question} of output {item.about + 1}"
    return [item.instance, item.subset, item.instruction, asked or item.question, item.people, by_judge]
