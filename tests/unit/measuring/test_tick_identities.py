"""TICK's printed numbers held against one another: what fails is known, and only that."""

from __future__ import annotations

from plumbline.measuring.identity import Check, checks
from plumbline.measuring.measure import named
from plumbline.measuring.printed import Printed
from plumbline.workflow.composing.resolved import Resolved
from rebuilt import setting

MISPRINTS = {
    "table1, Language, Command-R+ Self-Refine change",
    "section 4.2, gain by Best-of-8 on WildBench",
    "appendix H.2, option of `near-identical` among five",
}


def tick_checks(papers: Resolved) -> list[Check]:
    return checks("tick", Printed.of("tick", setting(papers, "printed.tick")))


def test_all_hold_but_the_two_misprints_and_option_2(papers: Resolved) -> None:
    failed = {check.place: check.tried for check in tick_checks(papers) if not check.holds}
    assert failed.keys() == MISPRINTS
    assert all(tried.startswith("a misprint") for tried in failed.values())


def test_a_slip_of_one_hundredth_anywhere_in_table_4_is_found(papers: Resolved) -> None:
    printed = setting(papers, "printed.tick")
    for number, cell in enumerate(printed["table4"]):
        slipped = [dict(each) for each in printed["table4"]]
        slipped[number]["value"] = cell["value"] + 0.01
        failed = [
            check for check in checks("tick", Printed.of("tick", printed | {"table4": slipped})) if not check.holds
        ]
        assert any(check.place.startswith(("table4", "abstract", "section 1")) for check in failed), cell


def test_each_column_has_the_decimals_that_the_paper_prints(papers: Resolved) -> None:
    printed = setting(papers, "printed.tick")
    for table in ("table5", "table8"):
        digits = {cell["column"]: cell["digits"] for cell in printed[table]}
        assert digits["WildBench WB-Score"] == 1 and {digits[name] for name in digits if "Score" not in name} == {3}


def test_the_alphas_of_table_6_are_shares_of_a_level_that_the_paper_does_not_say(papers: Resolved) -> None:
    table = papers.config.table["tick"]["table6"]
    measure = named(table.columns["Inter-Annotator Agreement"].metric)
    assert measure.title == "α" and measure.scale == 1.0
    assert "does not say at which level" in " ".join(table.notes)
