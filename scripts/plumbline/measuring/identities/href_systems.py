"""Identities of HREF's printed win rates of systems, Tables 3, 5 and 6."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from scipy.stats import pearsonr, spearmanr

from plumbline.measuring.identities.href_categories import (
    CATEGORIES,
    GENERAL,
    TENTH,
    in_all,
    rates_of,
    weighted_means,
    weights_in,
)
from plumbline.measuring.identity import Finding, identity
from plumbline.measuring.printed import Printed, PrintedTable
from plumbline.measuring.ranks import group_places
from plumbline.measuring.weights import whole_number

Z = 1.96
DEVELOPMENT = (60, 58, 15, 7, 214, 35, 25, 16)
"""Instructions of each general category in the development set: what Table 6 is explained by."""
OPEN_QA = 204
"""Instructions of Open QA in the evaluation set: the only number near its weight that explains Table 5."""


@identity("href", "All of Tables 3 and 5 is a mean of the categories with the same weights in every row")
def all_of_table5(printed: Printed) -> Iterator[Finding]:
    """The weights are fitted to Table 5, whose rows lack no number; Table 3 is held against the same."""
    weights = weights_in(printed["table5"], CATEGORIES)
    for table in (printed["table3"], printed["table5"]):
        yield from weighted_means(table, CATEGORIES, weights)


@identity("href", "All of Table 6 is a mean of the categories with the same weights in every row")
def all_of_table6(printed: Printed) -> Iterator[Finding]:
    yield from weighted_means(printed["table6"], GENERAL, weights_in(printed["table6"], GENERAL))


@identity("href", "Table 6 is explained by whole numbers of instances, which add up to Table 9's 430")
def instances_of_table6(printed: Printed) -> Iterator[Finding]:
    """A win rate of a category is a multiple of half an instance: few numbers fit all that are printed of it."""
    size = printed["table9"].value("Development", "Size")
    table = printed["table6"]
    near = weights_in(table, GENERAL) * size
    counts = np.array(
        [whole_number(rates, about, 1) for rates, about in zip(rates_of(table, GENERAL), near, strict=True)]
    )
    tried = "for each category the number that fits all its rates and is nearest to its weight in All"
    yield Finding("table9, Development, Size", size, float(counts.sum()), tried=tried)
    for row in table.rows:
        derived = float(counts @ np.array(table.row(row, GENERAL)) / counts.sum())
        yield Finding(f"table6, {row}, All", table.value(row, "All"), derived, 1, TENTH, tried)


@identity("href", "Win rates of Table 6 count a tie as half a win")
def half_ties(printed: Printed) -> Iterator[Finding]:
    """Section 4.2, under Expected Win Rate: each printed rate is that of a whole number of halves."""
    yield from counted_rates(printed["table6"], 2, "")


@identity("href", "Win rates of Table 6 count a tie as a whole win")
def whole_ties(printed: Printed) -> Iterator[Finding]:
    """Section 4.2, under Methodology, and appendix D.1: each printed rate is that of a whole number of instances."""
    yield from counted_rates(printed["table6"], 1, "a tie as half a win, which gives every rate of the table")


def counted_rates(table: PrintedTable, parts: int, tried: str) -> Iterator[Finding]:
    """Each rate against the nearest one of so many instances, each of which counts in so many parts."""
    for column, instances in zip(GENERAL, DEVELOPMENT, strict=True):
        for row in table.rows:
            rate, total = table.value(row, column), parts * instances
            nearest = 100 * round(rate / 100 * total) / total
            yield Finding(f"table6, {row}, {column}", rate, nearest, 1, tried=tried)


@identity("href", "Table 5's ranks follow from its win rates")
def ranks_of_table5(printed: Printed) -> Iterator[Finding]:
    """A model shares the rank of the best of its group, whose 95 % interval overlaps with its own (binomial)."""
    yield from rank_findings(printed["table5"], printed["table9"].value("Evaluation", "Size"), "")


@identity("href", "Tables 3 and 6 rank by the same rule as Table 5")
def ranks_of_other_tables(printed: Printed) -> Iterator[Finding]:
    for name, size, also, most in (
        ("table3", "Evaluation", "Table 5's ranks among these rows, ", "12 of 15"),
        ("table6", "Development", "", "19 of 33"),
    ):
        tried = (
            f"{also}intervals of 50 to 20,000 instances, one of two intervals that holds the other rate, overlap with "
            f"the model before: at most {most} ranks"
        )
        yield from rank_findings(printed[name], printed["table9"].value(size, "Size"), tried)


def rank_findings(table: PrintedTable, instances: float, tried: str) -> Iterator[Finding]:
    derived = ranks(dict(zip(table.rows, in_all(table, table.rows), strict=True)), instances)
    for row in table.rows:
        yield Finding(f"{table.name}, {row}, Rank", table.value(row, "Rank"), derived[row], tried=tried)


def ranks(rates: Mapping[str, float], instances: float) -> dict[str, int]:
    """Places by win rate in percent, shared with the best of a group (binomial intervals)."""
    values = np.array(list(rates.values()))
    half = Z * np.sqrt(values * (100.0 - values) / instances)
    return dict(
        zip(
            rates, group_places(values.tolist(), np.stack([values - half, values + half], axis=1).tolist()), strict=True
        )
    )


@identity("href", "Table 3 repeats Table 5")
def repeats(printed: Printed) -> Iterator[Finding]:
    table, whole = printed["table3"], printed["table5"]
    for row in table.rows:
        for column in (*CATEGORIES, "All"):
            if (row, column) in whole.cells:
                yield Finding(f"table3, {row}, {column}", table.value(row, column), whole.value(row, column), 1)


@identity("href", "Win rates on the development and the evaluation set correlate as the text says")
def correlations(printed: Printed) -> Iterator[Finding]:
    """Section 4.3, over the models that both tables hold."""
    evaluation, development = printed["table5"], printed["table6"]
    both = [row for row in evaluation.rows if row in development.rows]
    rates = [in_all(table, both) for table in (evaluation, development)]
    for name, measure in (("Pearson", pearsonr), ("Spearman", spearmanr)):
        derived = float(measure(*rates).statistic)
        yield Finding(f"section 4.3, {name}", printed["transfer"].value("All 29", name), derived, 2)
    models = printed["text_systems"].value("Models on the development set", "All")
    yield Finding("appendix C, models on both sets", models, len(both))


@identity("href", "Open QA in Table 5 has no ties: each rate is that of a whole number of 204 instructions")
def open_qa_of_table5(printed: Printed) -> Iterator[Finding]:
    """Composite judges Open QA by the similarity of embeddings, which hardly ever ties."""
    table = printed["table5"]
    for row in table.rows:
        rate = table.value(row, "OQA")
        yield Finding(f"table5, {row}, OQA", rate, 100 * round(rate / 100 * OPEN_QA) / OPEN_QA, 1)
