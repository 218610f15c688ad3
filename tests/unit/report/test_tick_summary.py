"""How far systems pass: what is told of missing answers, and how numbers are printed."""

from __future__ import annotations

from plumbline.report.tick_summary import Interval, SystemDifference, SystemScore, TickSummary, in_columns

NONE = Interval(None, None, None)


def system(name: str, **more: int) -> SystemScore:
    counts = {"responses": 3, "instructions": 3, "questions": 6, "passed": 3, "unanswered": 0, "without_checklist": 0}
    return SystemScore(name, pass_rate=Interval(0.5, 0.25, 0.75), drfr=Interval(0.5, None, None), **{**counts, **more})


def test_what_a_score_lacks_is_told_by_system() -> None:
    lines = TickSummary([system("one", unanswered=2), system("", without_checklist=1)], [], 0.95, []).lines()
    assert "one: 2 of 6 questions without an answer, which count as no" in lines
    assert "responses: 1 response without a checklist, which are left out" in lines


def test_a_number_without_an_interval_stands_alone_and_one_that_is_not_defined_is_a_dash() -> None:
    two = SystemDifference("one", "two", 0, NONE, Interval(0.125, 0.0, 0.25), None)
    _, first, second = in_columns(TickSummary([system("one")], [two], 0.95, []).rows())
    assert first.split() == ["one", "0.500", "[0.250,", "0.750]", "0.500", "3", "3"]
    assert second.split() == ["one", "-", "two", "-", "+0.125", "[0.000,", "0.250]", "0", "p", "-"]


def test_so_many_differences_are_printed_as_are_asked_for() -> None:
    many = [SystemDifference("one", f"{n}", 1, NONE, NONE, None) for n in range(12)]
    summary = TickSummary([system("one")], many, 0.95, [])
    assert (len(summary.rows(10)), len(summary.rows())) == (2 + 10, 2 + 12)
