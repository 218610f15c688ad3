"""Identities of LLMBar's printed tables."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from plumbline.measuring.identity import Finding, identity
from plumbline.measuring.printed import Printed, PrintedTable

ADVERSARIAL = ("NEIGHBOR", "GPTINST", "GPTOUT", "MANUAL")


@identity("llmbar", "ADVERSARIAL is the mean of its four subsets")
def adversarial(printed: Printed) -> Iterator[Finding]:
    """LLMBar, section 4.1: the average accuracy over the four subsets."""
    yield from means(printed, "ADVERSARIAL", ADVERSARIAL)


@identity("llmbar", "AVERAGE is the mean of all five subsets")
def average(printed: Printed) -> Iterator[Finding]:
    yield from means(printed, "AVERAGE", ("NATURAL", *ADVERSARIAL))


def means(printed: Printed, mean: str, columns: tuple[str, ...]) -> Iterator[Finding]:
    """In each table and row that prints a mean and all that it is of."""
    for table in printed.tables.values():
        for row in table.rows:
            for metric, cell in table.cells.get((row, mean), {}).items():
                if all(metric in table.cells.get((row, column), {}) for column in columns):
                    yield mean_of(table, row, mean, metric, columns, cell.digits)


def mean_of(table: PrintedTable, row: str, mean: str, metric: str, columns: tuple[str, ...], digits: int) -> Finding:
    parts = [table.value(row, column, metric) for column in columns]
    place = f"{table.name}, {row}, {mean}.{metric}"
    return Finding(place, table.value(row, mean, metric), fmean(parts), digits, slack=0.5 * 10.0**-digits)
