"""The judges of a benchmark in short, beside the baselines: what the first page says of whom to trust."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan
from pathlib import Path

from plumbline.records.rows import read_records, write_records
from plumbline.report.comparing import baseline_scores
from plumbline.report.judges_page import JudgeLine
from plumbline.report.votes import BenchmarkVotes


@dataclass(frozen=True)
class JudgeSummary:
    """How far to trust one judge; or what a baseline scores that is no judge of any table."""

    label: str
    model: str
    """Empty where it has no page of its own."""
    protocol: str
    baseline: bool
    """Whether it asks no model."""
    n: int
    """Items that it voted on."""
    score: float
    """The share of its votes that say what people say, strictly read."""
    low: float | None
    high: float | None
    standing: str
    """Whether it is better than chance and than the simple rules, in words."""
    same: float | None
    """The share of pairs on which it prefers the same output in both orders; none where it was not asked in two."""


def summaries(lines: Iterable[JudgeLine], votes: BenchmarkVotes) -> list[JudgeSummary]:
    """The best first."""
    judges = [summary(line, line.judge in votes.baselines) for line in lines]
    if not judges:
        return []
    simple = [
        JudgeSummary(name, "", "", True, len(votes.items), score, None, None, "", None)
        for name, score in baseline_scores(votes.items, votes.baselines).items()
    ]
    return sorted([*judges, *simple], key=lambda one: -one.score)


def summary(line: JudgeLine, baseline: bool) -> JudgeSummary:
    score = line.beside.score
    low, high = (None, None) if isnan(score.low) else (score.low, score.high)
    same = None if line.position is None else line.position.same
    judge, n, standing = line.judge, line.beside.n, line.beside.standing
    return JudgeSummary(line.label, *judge, baseline, n, score.value, low, high, standing, same)


def write_summaries(path: Path, rows: Iterable[JudgeSummary]) -> None:
    write_records(path, JudgeSummary, rows)


def read_summaries(path: Path) -> list[JudgeSummary]:
    return read_records(path, JudgeSummary)
