"""What a declared table or figure may say."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Literal

from plumbline.typed import Count


@dataclass(frozen=True)
class Reason:
    """Why cells differ from what was printed."""

    reason: str
    """The explanation."""
    row: str
    """Row the explanation is about."""
    columns: list[str] = field(default_factory=list)
    """Columns it is about (none: all)."""
    metrics: list[str] = field(default_factory=list)
    """Metrics it is about (none: all)."""


@dataclass(frozen=True)
class Waits:
    """What a row waits for that cannot be built yet: each in a few words, where there is any."""

    weights: str = ""
    """Weights, and where they need it the hardware."""
    data: str = ""
    """Data or completions that are not public."""
    key: str = ""
    """A key to somebody's server."""
    program: str = ""
    """What Plumbline itself does not have yet."""

    @property
    def kinds(self) -> list[str]:
        return [field.name for field in fields(self) if getattr(self, field.name)]

    @property
    def reason(self) -> str:
        titles = {"program": "no program here yet"}
        return "; ".join(f"{titles.get(kind, kind)}: {getattr(self, kind)}" for kind in self.kinds)


@dataclass(frozen=True)
class TableRow:
    """One row: a judge, or a count of instances."""

    model: str = ""
    """The judge's model; empty only for counts, and in a row that waits for weights."""
    protocol: str = ""
    """The judge's protocol, e.g. `swap+rules`; empty only for counts, and in a row that waits for a program."""
    subsets: list[str] = field(default_factory=list)
    """For counts: the subsets counted."""
    matching: str = ""
    """For counts: only instances whose instruction matches this regular expression."""
    waits: Waits = field(default_factory=Waits)
    """What the row waits for, when it cannot be built."""


@dataclass(frozen=True)
class Column:
    """One column: subsets of a benchmark, macro-averaged."""

    subsets: list[str]
    """Subsets whose values are averaged, each with the same weight."""
    benchmark: str = ""
    """Benchmark of the subsets, when it is not the table's."""


@dataclass(frozen=True)
class Table:
    """A table or figure: what to compute, and what the paper printed."""

    paper: str
    """Folder the table belongs to."""
    name: str
    """File name of the table."""
    title: str
    """What it shows."""
    source: str
    """Where it was printed, or `Plumbline` for our own."""
    benchmark: str
    """Benchmark it measures on."""
    metrics: list[Literal["acc", "agr", "dif", "hedge", "kappa", "unparsed", "count"]]
    """What is measured, in the order of the printed numbers of one column."""
    columns: dict[str, Column]
    """Columns in order."""
    rows: dict[str, TableRow]
    """Rows in order."""
    digits: Count = 1
    """Printed precision: digits after the point."""
    chance: float | None = None
    """What guessing would score, for the note under the table."""
    printed: dict[str, list[float | None]] = field(default_factory=dict)
    """The paper's numbers by row: columns in order, and within a column the metrics in order."""
    reasons: list[Reason] = field(default_factory=list)
    """Known reasons for cells that differ from the printed ones."""
    notes: list[str] = field(default_factory=list)
    """Sentences printed under the table."""
    figure: Literal["", "bars"] = ""
    """Draw it too."""
    wording: str = "plumbline"
    """Wording of the protocols that name none: `vanilla` is `vanilla@llmbar` in a table whose wording is llmbar."""
    judges: list[str] = field(default_factory=list)
    """Protocols with which each model of `experiment.models` gets a row, in the tables that the experiment names."""
