"""Identities of TICK's printed numbers, its two misprints among them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean

from plumbline.measuring.identity import Finding, identity
from plumbline.measuring.measures.distances import LOSS_ABOVE, WIN_BELOW
from plumbline.measuring.printed import Printed

CATEGORIES = ("Coding", "Data Analysis", "Instructions", "Language", "Mathematics", "Reasoning")
JUDGES = ("Preference", "Direct Scoring", "Check-then-Score", "TICK")
DIGITS = 3


def slack(digits: int, terms: float) -> float:
    """How far a sum of so many rounded terms may be off."""
    return 0.5 * 10.0**-digits * terms


@identity("tick", "Table 1: Overall is the mean of six categories")
def overall(printed: Printed) -> Iterator[Finding]:
    """Each category with the same weight."""
    table = printed["table1"]
    for column in [column for column in table.columns if not column.endswith("change")]:
        mean = fmean(table.value(row, column) for row in CATEGORIES)
        yield Finding(f"table1, Overall, {column}", table.value("Overall", column), mean, 1, slack(1, 1))


@identity("tick", "Table 1: a change is the difference from Base")
def changes(printed: Printed) -> Iterator[Finding]:
    table = printed["table1"]
    for model in ("Command-R+", "GPT-4o"):
        for way in ("Self-Refine", "STICK"):
            for row in table.rows:
                change = table.value(row, f"{model} {way}") - table.value(row, f"{model} Base")
                yield Finding(
                    f"table1, {row}, {model} {way} change",
                    table.value(row, f"{model} {way} change"),
                    round(change, 1),
                    1,
                    slack(1, 2) if row == "Overall" else 0.0,
                    "a misprint: 9.8 for 10.8; the category's own numbers fit Overall",
                )


@identity("tick", "Table 4: the shares of PLD-0, PLD-1 and PLD-2 add up to 1")
def shares(printed: Printed) -> Iterator[Finding]:
    table = printed["table4"]
    for row in JUDGES:
        total = sum(table.value(row, "Internal", f"pld_{apart}") for apart in (0, 1, 2))
        yield Finding(f"table4, {row}, PLD", 1.0, total, DIGITS, slack(DIGITS, 3))


@identity("tick", "Table 4: WPLD is PLD-1 and twice PLD-2")
def weighted(printed: Printed) -> Iterator[Finding]:
    """TICK, section 3.2.2."""
    table = printed["table4"]
    for row in JUDGES:
        one, two = (table.value(row, "Internal", f"pld_{apart}") for apart in (1, 2))
        yield Finding(
            f"table4, {row}, WPLD", table.value(row, "Internal", "wpld"), one + 2 * two, DIGITS, slack(DIGITS, 3)
        )


@identity("tick", "What the abstract and the text say follows from the tables")
def text(printed: Printed) -> Iterator[Finding]:
    four, five, six = (printed[name] for name in ("table4", "table5", "table6"))
    tick, direct = (100 * four.value(row, "Internal", "pld_0") for row in ("TICK", "Direct Scoring"))
    yield Finding("abstract, agreement by direct scoring, in percent", 46.4, direct, 1)
    yield Finding("abstract, agreement by TICK, in percent", 52.2, tick, 1)
    yield Finding("section 1, increase of agreement, in points", 5.8, tick - direct, 1)
    stick, base = (printed["table1"].value("Reasoning", f"Command-R+ {way}") for way in ("STICK", "Base"))
    yield Finding("abstract, gain of STICK on LiveBench reasoning", 7.8, stick - base, 1)
    drfr = 100 * (five.value("STICK", "InFoBench") - five.value("Greedy Decoding", "InFoBench"))
    yield Finding("section 4.2, gain by Best-of-8 on InFoBench, in points", 5.1, drfr, 1)
    score = five.value("STICK", "WildBench WB-Score") - five.value("Greedy Decoding", "WildBench WB-Score")
    yield Finding("abstract, gain by Best-of-8 on WildBench", 6.3, score, 1)
    tried = "a misprint: the table and the abstract say 6.3"
    yield Finding("section 4.2, gain by Best-of-8 on WildBench", 5.3, score, 1, tried=tried)
    for row, value in (("Direct Scoring", 0.194), ("Check-then-Score", 0.256)):
        yield Finding(f"abstract, alpha, {row}", value, six.value(row, "Inter-Annotator Agreement"), DIGITS)


@identity("tick", "Table 6: the mean score stays the same, and lies on the scale")
def means(printed: Printed) -> Iterator[Finding]:
    """Section 5.2: the checklist makes people agree more and does not bias the mean; scores are 1 to 5."""
    table = printed["table6"]
    direct, checked = (table.value(row, "Command-R+ Avg. Score") for row in ("Direct Scoring", "Check-then-Score"))
    yield Finding("table6, mean scores with two decimals", round(direct, 2), round(checked, 2), 2)
    for row, mean in (("Direct Scoring", direct), ("Check-then-Score", checked)):
        yield Finding(f"table6, {row}, mean score on the scale of 1 to 5", mean, min(max(mean, 1.0), 5.0), DIGITS)


@identity("tick", "Table 7: F1 is a mean over questions, not made of the printed precision and recall")
def averaged(printed: Printed) -> Iterator[Finding]:
    """A harmonic mean lies between precision and recall; both printed F1 lie below both."""
    table = printed["table7"]
    for row in table.rows:
        precision, recall, f1 = (
            table.value(row, "GPT-4o", f"category_{name}") for name in ("precision", "recall", "f1")
        )
        harmonic = 2 * precision * recall / (precision + recall)
        yield Finding(f"table7, {row}, F1 below the harmonic mean", "below", "below" if f1 < harmonic else "not below")


@identity("tick", "Appendix B.2: the correlations with length are within chance")
def correlations(printed: Printed) -> Iterator[Finding]:
    """No clear relationship: |r| stays below what chance alone exceeds in 5 of 100 samples, 1.96 / sqrt(n)."""
    for benchmark, r, n in (("InFoBench", -0.001, 500), ("WildBench", 0.028, 1024)):
        within = abs(r) < 1.96 / math.sqrt(n)
        yield Finding(f"appendix B.2, {benchmark}, r = {r}, n = {n}", "chance", "chance" if within else "more")


@identity("tick", "Appendix H.4: easier, harder and no effect add up to all")
def effects(printed: Printed) -> Iterator[Finding]:
    """78.5, 6.4 and 15; the last is printed without a decimal, so it may stand for 15.1."""
    yield Finding("appendix H.4, shares in percent", 100.0, 78.5 + 6.4 + 15.0, 1, slack(1, 2) + slack(0, 1))


@identity("tick", "Appendix H.2: `near-identical` is the middle of the scale")
def near_identical(printed: Printed) -> Iterator[Finding]:
    """The instructions call it option 2, which is its place on the three-way scale of appendix G.3, not on this one."""
    (middle,) = [option for option in range(1, 6) if WIN_BELOW <= option <= LOSS_ABOVE]
    tried = "a misprint: taken over from the prompt of appendix G.3, where there are three options"
    yield Finding("appendix H.2, option of `near-identical` among five", 2.0, float(middle), 0, tried=tried)
    yield Finding("appendix G.3, option of `near-identical` among three", 2.0, fmean((1, 2, 3)), 0)
