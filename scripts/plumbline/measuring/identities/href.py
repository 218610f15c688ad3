"""Identities of HREF's printed tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

import numpy as np
from scipy.stats import pearsonr, spearmanr

from plumbline.measuring.bootstrap import Floats
from plumbline.measuring.cells import rounding
from plumbline.measuring.identity import Finding, identity
from plumbline.measuring.printed import Printed, PrintedTable
from plumbline.measuring.ranks import group_places
from plumbline.measuring.weights import weights_of, whole_number

GENERAL = ("Brn", "OQA", "CQA", "Ext", "Gen", "Rew", "Sum", "Cls")
CATEGORIES = (*GENERAL, "FC", "MDS", "RND")
JUDGES = ("GPT4", "GPT4-Tb", "Llama-7B", "Llama-70B")
WITH = "{} with human response"
OURS = "Llama-70B"
TENTH = 0.05
"""How far a number printed with one digit may be from its own value."""
Z = 1.96


@identity(
    "href", "Composite takes in each category the best of the judge, the judge with human response, RoBERTa and Rouge"
)
def composite(printed: Printed) -> Iterator[Finding]:
    """Table 1, the four composite rows."""
    yield from bests(printed["table1"], ("RoBERTa-Large", "Rouge"), "")


@identity("href", "Composite as the text describes it, without Rouge")
def composite_without_rouge(printed: Printed) -> Iterator[Finding]:
    """Section 3.2 names no Rouge."""
    yield from bests(printed["table1"], ("RoBERTa-Large",), "with Rouge among the methods it holds")


def bests(table: PrintedTable, others: Sequence[str], tried: str) -> Iterator[Finding]:
    for judge in JUDGES:
        methods = (judge, WITH.format(judge), *others)
        for category in CATEGORIES:
            best = max(table.value(method, category) for method in methods)
            place = f"table1, Composite {judge}, {category}"
            yield Finding(place, table.value(f"Composite {judge}", category), best, 1, tried=tried)


CODED: dict[str, str] = dict.fromkeys(("Brn", "Sum"), "{}") | dict.fromkeys(("OQA", "FC"), "RoBERTa-Large")
CODED |= dict.fromkeys(("CQA", "Ext", "Gen", "Rew", "Cls", "MDS", "RND"), WITH)
"""The method of each category in the released code's suite `href`, which its leaderboard uses; braces for the judge."""


@identity("href", "Composite by the released code's map, which was made for Llama-70B, whatever the judge")
def composite_of_the_code(printed: Printed) -> Iterator[Finding]:
    """Table 1 needs a map for each of its rows: Llama-70B's alone is the one that the code and the leaderboard have."""
    table = printed["table1"]
    for judge in JUDGES:
        for category in CATEGORIES:
            place = f"table1, Composite {judge}, {category}"
            derived = table.value(CODED[category].format(judge), category)
            tried = "with the best of the judge, the judge with human response, RoBERTa and Rouge in its place"
            yield Finding(place, table.value(f"Composite {judge}", category), derived, 1, tried=tried)


@identity("href", "All of Table 1 is a mean of the categories with the same weights in every row")
def all_of_table1(printed: Printed) -> Iterator[Finding]:
    """Instances count alike. How many there are of a category is not printed: the weights are fitted to the rows."""
    yield from weighted_means(printed["table1"], CATEGORIES, weights_in(printed["table1"], CATEGORIES))


PAIRS, SCIENCE, OF_EACH = 1752, ("FC", "MDS", "RND"), 100
"""Pairs in the human agreement set (438 instructions by four responses), and in each science category."""
PUBLIC = PAIRS - OF_EACH * len(SCIENCE)


@identity("href", "Science rates of Table 1 are those of 100 pairs, which each agree with none to all of four people")
def science_pairs(printed: Printed) -> Iterator[Finding]:
    """Multiples of a quarter of a pair; Table 9's 438 instructions have 1,752 pairs."""
    table = printed["table1"]
    yield Finding("table9, Agreement, four pairs each", PAIRS, 4 * printed["table9"].value("Agreement", "Size"))
    for row in on_all_pairs(table):
        for category in SCIENCE:
            rate = table.value(row, category)
            nearest = 100 * round(rate / 100 * 4 * OF_EACH) / (4 * OF_EACH)
            yield Finding(f"table1, {row}, {category}", rate, nearest, 1)


@identity("href", "With 100 of 1,752 pairs in each science category, All of Table 1 is a mean with the same weights")
def all_with_science_pairs(printed: Printed) -> Iterator[Finding]:
    """The weights of the general categories are fitted to what the science categories leave of All."""
    table, rows = printed["table1"], on_all_pairs(printed["table1"])
    general = np.array([table.row(row, GENERAL) for row in rows])
    left = np.array([on_public_pairs(table, row) for row in rows])
    fitted = general @ weights_of(general, left)
    for row, public in zip(rows, fitted.tolist(), strict=True):
        derived = (PUBLIC * public + OF_EACH * sum(table.row(row, SCIENCE))) / PAIRS
        tried = "the weights that fit most rows best"
        yield Finding(f"table1, {row}, All", table.value(row, "All"), derived, 1, TENTH, tried)


def on_all_pairs(table: PrintedTable) -> list[str]:
    """The rows of Table 1 but Perplexity, which the caption says omits some pairs."""
    return [row for row in table.rows if row != "Perplexity"]


@identity("href", "All of the 1,452 public pairs, as the table `public` has it, follows from Table 1")
def all_of_public_pairs(printed: Printed) -> Iterator[Finding]:
    """(1752 All - 100 (FC + MDS + RND)) / 1452: derived from printed numbers, and never a number of ours."""
    table, public = printed["table1"], printed["public"]
    for row in public.rows:
        yield Finding(f"public, {row}, All", public.value(row, "All"), on_public_pairs(table, row), 1)


def on_public_pairs(table: PrintedTable, row: str) -> float:
    return (PAIRS * table.value(row, "All") - OF_EACH * sum(table.row(row, SCIENCE))) / PUBLIC


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


DEVELOPMENT = (60, 58, 15, 7, 214, 35, 25, 16)
"""Instructions of each general category in the development set: what Table 6 is explained by."""


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


def weights_in(table: PrintedTable, columns: Sequence[str]) -> Floats:
    """The weights of the categories that best explain the column `All`."""
    rows = whole_rows(table, columns)
    parts = np.array([table.row(row, columns) for row in rows])
    return weights_of(parts, np.array(in_all(table, rows)))


def whole_rows(table: PrintedTable, columns: Sequence[str]) -> list[str]:
    """The rows that lack none of these numbers."""
    return [row for row in table.rows if all((row, column) in table.cells for column in columns)]


def rates_of(table: PrintedTable, columns: Sequence[str]) -> list[Floats]:
    """All that is printed in each of these columns."""
    return [np.array([table.value(row, column) for row in table.rows]) for column in columns]


def in_all(table: PrintedTable, rows: Sequence[str]) -> list[float]:
    """The column `All` of these rows."""
    return [table.value(row, "All") for row in rows]


def weighted_means(table: PrintedTable, columns: Sequence[str], weights: Floats) -> Iterator[Finding]:
    for row in whole_rows(table, columns):
        derived = float(weights @ np.array(table.row(row, columns)))
        place = f"{table.name}, {row}, All"
        yield Finding(place, table.value(row, "All"), derived, 1, TENTH, "the weights that fit most rows best")


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


@identity("href", "As many models are named as the text counts")
def models(printed: Printed) -> Iterator[Finding]:
    text, pool = printed["text_systems"], printed["table7"]
    named = sum(pool.value(family, "Models") for family in pool.rows)
    tried = "counted family by family; the table calls itself the full list"
    yield Finding("section 3.1, models in the pool", text.value("Models in the pool", "All"), named, tried=tried)
    evaluated = len(printed["table6"].rows)
    place = "appendix C, models on the development set"
    printed_number = text.value("Models on the development set", "All")
    yield Finding(place, printed_number, evaluated, tried="without the four GPT models it holds")
    size = printed["table9"].value("Evaluation", "Size")
    yield Finding("table2, HREF, Size", printed["table2"].value("HREF", "Size"), size)


@identity("href", "The differences that the text states follow from Table 1")
def claims(printed: Printed) -> Iterator[Finding]:
    """Abstract and section 3.3. Each is a difference of two printed numbers, which rounding may shift by a tenth."""
    text, table = printed["text"], printed["table1"]
    both = WITH.format(OURS)
    for place, more, less in (
        ("Llama-70B above GPT4", OURS, "GPT4"),
        ("Llama-70B above GPT4-Tb", OURS, "GPT4-Tb"),
        ("Llama-70B above GPT4, with human response", both, WITH.format("GPT4")),
        ("Llama-70B above GPT4-Tb, with human response", both, WITH.format("GPT4-Tb")),
        ("Llama-70B with human response above Human", both, "Human"),
        ("What a human response gains at most", WITH.format("GPT4"), "GPT4"),
        ("Composite above Llama-70B with human response", "Composite Llama-70B", both),
        ("Composite above Human", "Composite Llama-70B", "Human"),
    ):
        cell = text.at(place, "All")
        derived = table.value(more, "All") - table.value(less, "All")
        tried = nearby(table, cell.value, cell.digits)
        yield Finding(f"text, {place}", cell.value, derived, cell.digits, 2 * TENTH, tried)


def nearby(table: PrintedTable, claimed: float, digits: int) -> str:
    """Which other differences of the column `All` would give what the text claims."""
    unit = rounding(digits)
    differences = [
        f"{more} less {less}"
        for more in table.rows
        for less in table.rows
        if abs(table.value(more, "All") - table.value(less, "All") - claimed) <= unit
    ]
    return "the other differences of Table 1's column All that give it: " + ("; ".join(differences) or "none")


GAINING = ("CQA", "Ext", "Gen", "Rew", "Cls", "MDS", "RND")
"""Where a human response helps the judge that HREF chooses (section 3.3)."""


@identity("href", "A human response gains the judges what the text says")
def gains(printed: Printed) -> Iterator[Finding]:
    """Section 3.3: 4.8 on average in seven categories, and more agreement for all judges but Llama-7B."""
    table, stated = printed["table1"], printed["gains"].value("Gain", "Mean of the seven")
    gained = {each: table.value(WITH.format(OURS), each) - table.value(OURS, each) for each in CATEGORIES}
    yield Finding("section 3.3, mean gain", stated, fmean(gained[c] for c in GAINING), 1, 2 * TENTH)
    helped = ", ".join(category for category in CATEGORIES if gained[category] > 0)
    yield Finding("section 3.3, categories that gain", ", ".join(GAINING), helped)
    for judge in JUDGES:
        better = table.value(WITH.format(judge), "All") > table.value(judge, "All")
        says = "worse" if judge == "Llama-7B" else "better"
        yield Finding(f"section 3.3, {judge} with human response", says, "better" if better else "worse")


@identity("href", "The text names the methods and categories that Table 1 shows")
def extremes(printed: Printed) -> Iterator[Finding]:
    """Section 3.3: RoBERTa is the best on two categories, people agree least in four."""
    table = printed["table1"]
    methods = [row for row in table.rows if row != "Human" and not row.startswith("Composite")]
    for category in ("OQA", "FC"):
        best = max(methods, key=lambda row: table.value(row, category))
        tried = "it is the best of those that are compared with people's responses" if category == "OQA" else ""
        yield Finding(f"section 3.3, best method on {category}", "RoBERTa-Large", best, tried=tried)
    least = sorted(CATEGORIES, key=lambda category: table.value("Human", category))[:4]
    stated = ("Brn", "OQA", "Sum", "MDS")
    yield Finding("section 3.3, where people agree least", ", ".join(sorted(stated)), ", ".join(sorted(least)))


@identity("href", "Table 8 agrees with Table 1 and with its own caption")
def table8(printed: Printed) -> Iterator[Finding]:
    """Prompt A is the paper's own, so its agreement is that of Table 1."""
    table = printed["table8"]
    own = table.rows[0]
    derived = printed["table1"].value(WITH.format(OURS), "All")
    tried = (
        "no row of Table 1 has 68.4; the text says the development set, which has no annotations; the eight general "
        f"categories alone, by Table 1's weights, give {general(printed['table1'], WITH.format(OURS)):.1f}"
    )
    yield Finding("table8, A, Human Agreement Rate", table.value(own, "Human Agreement Rate"), derived, 1, tried=tried)
    [column] = [name for name in table.columns if name.startswith("r with")]
    lacking = [row for row in table.rows if (row, column) not in table.cells]
    without = ", ".join(row.partition(":")[0] for row in lacking)
    tried = "the caption says Prompt A; the text calls the paper's own prompt D and AlpacaEval's A"
    yield Finding("table8, head of the last column", column.removeprefix("r with Prompt "), without, tried=tried)


def general(table: PrintedTable, row: str) -> float:
    """The mean of a row over the general categories, by the weights of the whole table."""
    weights = weights_in(table, CATEGORIES)[: len(GENERAL)]
    return float(weights @ np.array(table.row(row, GENERAL)) / weights.sum())
