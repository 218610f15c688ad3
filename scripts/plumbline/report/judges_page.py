"""The judges of a benchmark side by side."""

from __future__ import annotations

from dataclasses import dataclass

from plumbline.measuring.bootstrap import Bootstrap, Estimate
from plumbline.measuring.cases import Judge
from plumbline.report.comparing import Beside, beside_rules
from plumbline.report.judge_facts import Position, failures, position
from plumbline.report.rendering import render
from plumbline.report.votes import Votes

DEPTH = 1


@dataclass(frozen=True)
class Line:
    """One judge in the list."""

    judge: Judge
    beside: Beside
    subsets: list[Estimate]
    position: Position | None
    missing: float
    """The share of verdicts that there are none of."""


def judges_page(benchmark: str, home: str, votes: Votes, bootstrap: Bootstrap) -> str:
    subsets = votes.subsets
    judges = [judge for judge in votes.judges if any(judge in item.votes for item in votes.items)]
    whole = beside_rules(votes.items, judges, bootstrap, benchmark) if judges else []
    parts = [
        beside_rules([i for i in votes.items if i.subset == subset], judges, bootstrap, f"{benchmark}/{subset}")
        for subset in (subsets if judges else [])
    ]
    lines = []
    for number, judge in enumerate(judges):
        count, missing = failures(votes.items, judge)
        by_subset = [part[number].score for part in parts]
        lines.append(
            Line(judge, whole[number], by_subset, position(votes.items, judge), sum(missing.values()) / max(count, 1))
        )
    return render(
        "judges.html",
        DEPTH,
        benchmark=benchmark,
        home=home,
        subsets=subsets,
        lines=sorted(lines, key=lambda line: -line.beside.score.value),
        choice=any(line.position for line in lines),
        items=len(votes.items),
    )
