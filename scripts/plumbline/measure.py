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
from plumbline.moved import Judged, Said, why_strict_differs
from plumbline.parquet import Row
from plumbline.statistics import METRICS, NONE, PERCENT, BothReadings, Estimate, Outcome, macro

ROUNDING = 1e-9
"""Values that differ by less are the same, but for the order of additions."""


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are made."""

    seed: int
    replicates: int
    level: float


@dataclass(frozen=True)
class Counts:
    """How often a judge said what of an instance, by protocol and subset.

    However many the instances, few numbers tell all that metrics need.
    """

    judged: dict[tuple[str, str], Counter[Judged]]
    close: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Verdicts that hang on less than the arithmetic's noise."""

    @classmethod
    def of(cls, verdicts: Iterable[Row], file: str = "") -> Counts:
        """Both orders of each instance put together; `file` is where the rows come from, for messages."""
        counts = cls({})
        halves: dict[tuple[str, str], Row] = {}
        whole: dict[str, set[str]] = {}
        for number, row in enumerate(verdicts, start=1):
            name, done = (row["instance"], row["protocol"]), whole.setdefault(row["protocol"], set())
            other = halves.pop(name, None)
            counts.close[(row["protocol"], row["subset"])] += row["close"]
            if row["instance"] in done or (other is not None and other["order"] == row["order"]):
                raise _stands_twice(row, f"{file}, row {number}" if file else f"row {number}")
            if other is None:
                halves[name] = row
                continue
            done.add(row["instance"])
            plain, swapped = (row, other) if row["order"] == "plain" else (other, row)
            judged = Judged(row["gold"], _said(plain), _said(swapped))
            counts.judged.setdefault((row["protocol"], row["subset"]), Counter())[judged] += 1
        for instance, protocol in halves:
            raise PlumblineError(f"the verdict of {protocol} on instance {instance} lacks its other order", where=file)
        return counts


def _said(row: Row) -> Said:
    return Said(row["as_published"], row["strict"], row["why"])


def _stands_twice(row: Row, where: str) -> PlumblineError:
    return PlumblineError(
        "a verdict stands twice",
        where=where,
        expected="one row for each instance, protocol and order",
        found=f"another row of instance {row['instance']}, protocol {row['protocol']}, order {row['order']}",
        do="look whether an instance or a shard was read twice, and build the file anew",
    )


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
    drawn: dict[tuple[str, str, str, str], BothReadings] = field(default_factory=dict)

    def rows(self) -> list[Row]:
        cells = [cell for name, row in self.table.rows.items() for cell in self._row(name, row)]
        self._refuse_empty_subsets(cells)
        return [made for cell in cells for made in self._both(self.table.rows[cell["row"]], cell)]

    def _row(self, name: str, row: TableRow) -> Iterator[Row]:
        printed = iter(self.table.printed.get(name, []))
        for column_name, column in self.table.columns.items():
            for metric in self.table.metrics:
                yield self._place(name, row, column_name, column, metric) | {"paper": next(printed, None)}

    def _place(self, name: str, row: TableRow, column_name: str, column: Column, metric: str) -> Row:
        return {
            "row": name,
            "column": column_name,
            "metric": metric,
            "benchmark": column.benchmark or self.table.benchmark,
            "subsets": column.subsets or row.subsets,
            "model": row.model,
            "protocol": row.protocol,
            "waits_for": row.waits.kinds,
        }

    def _refuse_empty_subsets(self, cells: Iterable[Row]) -> None:
        """A mean over nothing is no number; all that lack instances are named at once."""
        empty = dict.fromkeys(
            f"{subset!r} of {cell['benchmark']}, asked by row {cell['row']!r}"
            for cell in cells
            if cell["metric"] != "count" and not cell["waits_for"]
            for subset in cell["subsets"]
            if not self._judged(cell, subset)
        )
        if empty:
            raise PlumblineError(
                "a subset has no judged instance, so there is nothing to average",
                where=f"table {self.table.paper}/{self.table.name}",
                found="; ".join(empty),
                do="take the subset out of the table's columns, or give it instances",
            )

    def _both(self, row: TableRow, cell: Row) -> Iterator[Row]:
        if row.waits.kinds:
            yield from (cell | _not_built(row, cell) | {"reading": reading} for reading in READINGS)
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
        both = [self._sampled(cell, subset) for subset in cell["subsets"]]
        parts, samples = zip(*(getattr(drawn, reading) for drawn in both), strict=True)
        estimate = macro(METRICS[cell["metric"]], parts, samples, self.bootstrap.level)
        return cell | _scaled(estimate, cell["metric"]) | {"reading": reading} | self._missing(cell)

    def _count(self, row: TableRow, cell: Row) -> int:
        pattern = re.compile(row.matching)
        pairs = self.evidence.pairs[cell["benchmark"]]
        return sum(pair.subset in cell["subsets"] and bool(pattern.search(pair.instruction)) for pair in pairs)

    def _sampled(self, cell: Row, subset: str) -> BothReadings:
        key = (cell["benchmark"], cell["model"], cell["protocol"], subset)
        if key not in self.drawn:
            read: Counter[tuple[Outcome, Outcome]] = Counter()
            for judged, count in self._judged(cell, subset).items():
                read[(judged.outcome("as_published"), judged.outcome("strict"))] += count
            seed, replicates = self.bootstrap.seed, self.bootstrap.replicates
            self.drawn[key] = BothReadings.drawn(read, replicates, seed, "bootstrap", *key)
        return self.drawn[key]

    def _judged(self, cell: Row, subset: str) -> Counter[Judged]:
        counts = self.evidence.verdicts[(cell["benchmark"], cell["model"])]
        return counts.judged.get((cell["protocol"], subset), Counter())

    def _missing(self, cell: Row) -> dict[str, int]:
        """How many verdicts the strict reading does not have, by the word for it."""
        words: Counter[str] = Counter()
        for subset in cell["subsets"]:
            for judged, count in self._judged(cell, subset).items():
                words[judged.plain.strict] += count
                words[judged.swapped.strict] += count
        return {word: words[word] for word in sorted(NONE)} | {"close": self._close(cell)}

    def _close(self, cell: Row) -> int:
        counts = self.evidence.verdicts[(cell["benchmark"], cell["model"])]
        return sum(counts.close[(cell["protocol"], subset)] for subset in cell["subsets"])

    def _verdict_on(self, cell: Row, published: Row | None = None) -> dict[str, str]:
        """Status and reason of a measured cell; the strict one is also explained against the published one."""
        if cell["paper"] is None:
            status = "unprinted"
        elif equal_as_printed(cell["value"], cell["paper"], self.table.digits):
            status = "exact"
        else:
            status = "within" if cell["low"] <= cell["paper"] <= cell["high"] else "differs"
        reasons = [self._declared(cell)] if status in ("within", "differs") else []
        if published is not None and abs(cell["value"] - published["value"]) > ROUNDING:
            parts = [self._judged(cell, subset) for subset in cell["subsets"]]
            reasons.append(why_strict_differs(cell["metric"], parts, cell["value"] - published["value"]))
        return {"status": status, "reason": "; ".join(filter(None, reasons))}

    def _declared(self, cell: Row) -> str:
        for known in self.table.reasons:
            columns, metrics = known.columns or [cell["column"]], known.metrics or [cell["metric"]]
            if known.row == cell["row"] and cell["column"] in columns and cell["metric"] in metrics:
                return known.reason
        return ""


def _not_built(row: TableRow, cell: Row) -> Row:
    """What stands in a cell whose row waits: no number, ever."""
    status = "waiting" if cell["paper"] is not None else "unprinted"
    missing: Row = {
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "unparsed": 0,
        "truncated": 0,
        "refused": 0,
        "close": 0,
    }
    return missing | {"status": status, "reason": row.waits.reason}


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
