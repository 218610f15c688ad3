"""The page of suspect labels: items to read come first, how many there are below."""

from __future__ import annotations

from plumbline.measuring.cases import Judge
from plumbline.report.disagreements import disagreements_data, disagreements_page
from plumbline.report.votes import BenchmarkNames, BenchmarkVotes, Item, ItemVote, JudgeLabel

JUDGES = [Judge("a", "vanilla"), Judge("b", "vanilla")]
AGAINST = [ItemVote("second", 0.0, True, "", showing) for showing in ("plain", "swapped")]
ITEM = Item("i", "s", "Do it.", "better", None, "first", False, "", (3, 3), dict.fromkeys(JUDGES, AGAINST))
LABELS = {JUDGES[0]: JudgeLabel("a", "vanilla", "A <b>Vanilla*", False)}


def votes(judges: list[Judge]) -> BenchmarkVotes:
    return BenchmarkVotes([ITEM], judges, {"t": judges}, LABELS)


def test_items_come_before_the_counts_which_are_folded() -> None:
    page = disagreements_page(BenchmarkNames("b", "All of b", "home"), votes(JUDGES))
    assert "All of b" in page
    assert page.index('id="items"') < page.index("<details>") < page.index("all against the label")
    assert "<details>" not in disagreements_page(BenchmarkNames("b", "All of b", "home"), votes(JUDGES[:1]))


def test_judges_are_called_as_tables_call_them_and_by_their_names_where_no_table_does() -> None:
    page = disagreements_page(BenchmarkNames("b", "All of b", "home"), votes(JUDGES))
    assert ">A &lt;b&gt;Vanilla*</a>" in page and ">b · vanilla</a>" in page
    assert disagreements_data("b", votes(JUDGES))["judges"] == [
        ["a", "vanilla", "A <b>Vanilla*"],
        ["b", "vanilla", "b · vanilla"],
    ]
