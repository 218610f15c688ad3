"""Measure: every cell of a table from verdicts, with its interval, status and reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plumbline.cells import READINGS, Reading
from plumbline.declarations import Column, Table, TableRow
from plumbline.errors import PlumblineError
from plumbline.instances import Pair
from plumbline.parquet import Row
from plumbline.statistics import METRICS, NONE, PERCENT, Estimate, Floats, Outcome, Outcomes, generator, macro


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are made."""

    seed: int
    replicates: int
    level: float


@dataclass(frozen=True)
class Counts:
    """How often each outcome occurred among the verdicts of one judge on one benchmark, and how often none was given.

    By protocol and subset: however many the instances, few numbers tell all that metrics need.
    """

    outcomes: dict[tuple[str, str, str], Counter[Outcome]]
    missing: dict[tuple[str, str], Counter[str]]
    close: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Verdicts that hang on less than the arithmetic's noise."""

    @classmethod
    def of(cls, verdicts: Iterable[Row]) -> Counts:
        counts = cls({}, {})
        halves: dict[tuple[str, str], Row] = {}
        for row in verdicts:
            kind = (row["protocol"], row["subset"])
            counts.missing.setdefault(kind, Counter())[row["strict"]] += 1
            counts.close[kind] += row["close"]
            other = halves.pop((row["instance"], row["protocol"]), None)
            if other is None:
                halves[(row["instance"], row["protocol"])] = row
                continue
            plain, swapped = (row, other) if row["order"] == "plain" else (other, row)
            for reading in READINGS:
                outcome = (row["gold"], plain[reading], swapped[reading])
                counts.outcomes.setdefault((*kind, reading), Counter())[outcome] += 1
        for instance, protocol in halves:
            raise PlumblineError(f"the verdict of {protocol} on instance {instance} lacks its other order")
        return counts


@dataclass(frozen=True)
class Evidence:
    """What a table is computed from."""

    pairs: Mapping[str, Iterable[Pair]]
    """Instances by benchmark."""
    verdicts: Mapping[tuple[str, str], Counts]
    """Verdicts, counted, by (benchmark, model)."""


@dataclass
class Computing:
    """Computes the cells of one table; the outcomes of a judge on a subset are drawn once for all metrics."""

    table: Table
    bootstrap: Bootstrap
    evidence: Evidence
    drawn: dict[tuple[str, str, str, str, str], tuple[Outcomes, Floats]] = field(default_factory=dict)

    def rows(self) -> list[Row]:
        return [cell for name, row in self.table.rows.items() for cell in self._row(name, row)]

    def _row(self, name: str, row: TableRow) -> Iterator[Row]:
        printed = iter(self.table.printed.get(name, []))
        for column_name, column in self.table.columns.items():
            for metric in self.table.metrics:
                paper = next(printed, None)
                cell = self._place(name, row, column_name, column, metric) | {"paper": paper}
                yield from self._both(row, cell)

    def _place(self, name: str, row: TableRow, column_name: str, column: Column, metric: str) -> Row:
        return {
            "row": name,
            "column": column_name,
            "metric": metric,
            "benchmark": column.benchmark or self.table.benchmark,
            "subsets": column.subsets or row.subsets,
            "model": row.model,
            "protocol": row.protocol,
        }

    def _both(self, row: TableRow, cell: Row) -> Iterator[Row]:
        if row.waits:
            empty = {
                "value": None,
                "low": None,
                "high": None,
                "n": 0,
                "unparsed": 0,
                "truncated": 0,
                "refused": 0,
                "close": 0,
            }
            yield from (cell | empty | {"reading": r, "status": "waiting", "reason": row.waits} for r in READINGS)
            return
        published = self._measured(row, cell, "as_published")
        strict = self._measured(row, cell, "strict")
        yield published | self._verdict_on(published)
        yield strict | self._verdict_on(strict, published)

    def _measured(self, row: TableRow, cell: Row, reading: Reading) -> Row:
        if cell["metric"] == "count":
            count = self._count(row, cell)
            value = {"value": float(count), "low": float(count), "high": float(count), "n": count}
            return cell | value | {"reading": reading, "unparsed": 0, "truncated": 0, "refused": 0, "close": 0}
        parts, samples = zip(*(self._sampled(cell, subset, reading) for subset in cell["subsets"]), strict=True)
        estimate = macro(METRICS[cell["metric"]], parts, samples, self.bootstrap.level)
        return cell | _scaled(estimate, cell["metric"]) | {"reading": reading} | self._missing(cell)

    def _count(self, row: TableRow, cell: Row) -> int:
        pattern = re.compile(row.matching)
        pairs = self.evidence.pairs[cell["benchmark"]]
        return sum(pair.subset in cell["subsets"] and bool(pattern.search(pair.instruction)) for pair in pairs)

    def _sampled(self, cell: Row, subset: str, reading: Reading) -> tuple[Outcomes, Floats]:
        key = (cell["benchmark"], cell["model"], cell["protocol"], subset, reading)
        if key not in self.drawn:
            counted = self._counts(cell).outcomes[(cell["protocol"], subset, reading)]
            outcomes = Outcomes.of(counted, strict=reading == "strict")
            random = generator(self.bootstrap.seed, "bootstrap", *key)
            self.drawn[key] = outcomes, outcomes.resampled(self.bootstrap.replicates, random)
        return self.drawn[key]

    def _counts(self, cell: Row) -> Counts:
        return self.evidence.verdicts[(cell["benchmark"], cell["model"])]

    def _missing(self, cell: Row) -> dict[str, int]:
        counted = [self._counts(cell).missing[(cell["protocol"], subset)] for subset in cell["subsets"]]
        close = sum(self._counts(cell).close[(cell["protocol"], subset)] for subset in cell["subsets"])
        return {word: sum(words[word] for words in counted) for word in sorted(NONE)} | {"close": close}

    def _verdict_on(self, cell: Row, published: Row | None = None) -> dict[str, str]:
        """Status and reason of a measured cell; the strict one is also explained against the published one."""
        if cell["paper"] is None:
            status = "unprinted"
        elif equal_as_printed(cell["value"], cell["paper"], self.table.digits):
            status = "exact"
        else:
            status = "within" if cell["low"] <= cell["paper"] <= cell["high"] else "differs"
        reasons = [self._declared(cell)] if status in ("within", "differs") else []
        if published is not None and cell["value"] != published["value"]:
            reasons.append(why_strict_differs(cell))
        return {"status": status, "reason": "; ".join(filter(None, reasons))}

    def _declared(self, cell: Row) -> str:
        for known in self.table.reasons:
            columns, metrics = known.columns or [cell["column"]], known.metrics or [cell["metric"]]
            if known.row == cell["row"] and cell["column"] in columns and cell["metric"] in metrics:
                return known.reason
        return ""


def _scaled(estimate: Estimate, metric: str) -> dict[str, Any]:
    unit = 100.0 if metric in PERCENT else 1.0
    return {
        "value": estimate.value * unit,
        "low": estimate.low * unit,
        "high": estimate.high * unit,
        "n": estimate.n,
    }


def equal_as_printed(value: float, printed: float, digits: int) -> bool:
    """Whether `value` rounds to the printed figure, in whichever direction an exact half was rounded."""
    return abs(value - printed) <= 0.5 * 10.0**-digits + 1e-9


def why_strict_differs(cell: Row) -> str:
    counts = [f"{cell[word]} {word}" for word in ("unparsed", "truncated", "refused") if cell[word]]
    if counts:
        return f"strictly, {', '.join(counts)} answers give no verdict: they are wrong and agree with nothing"
    return "strictly, answers that name both outputs are read by their conclusion"
