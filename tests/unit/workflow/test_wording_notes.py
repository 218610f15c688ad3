"""Tables say in whose words their judges are asked."""

from __future__ import annotations

from changes import with_values
from plumbline.workflow.composing.resolved import Resolved

OURS = "Asked in Plumbline's own words"


def notes(resolved: Resolved, paper: str, name: str) -> list[str]:
    return resolved.shown(paper, name).notes


def test_a_table_in_our_words_says_so_once(papers: Resolved) -> None:
    for place in (("risum_smollm2", "table4"), ("tick_smollm2", "judges"), ("demo", "judges")):
        assert [note.startswith(OURS) for note in notes(papers, *place)].count(True) == 1


def test_printed_rows_are_asked_in_the_papers_words_and_those_that_are_not_are_named(papers: Resolved) -> None:
    for paper, wording in (("risum", "risum"), ("tick", "tick_paper")):
        assert {table.wording for table in papers.config.table[paper].values()} <= {wording, "plumbline"}
    table = papers.table("risum", "table4")
    asked = {row: pick.protocol.partition("@")[2] for row, pick in table.rows.items() if "@" in pick.protocol}
    (other,) = [row for row, wording in asked.items() if wording != "risum"]
    (named,) = [note for note in notes(papers, "risum", "table4") if OURS in note]
    assert named.startswith(f"{other}: ") and "(+ rationale)" in other


def test_a_judge_of_ones_own_that_is_asked_in_our_words_says_so_in_its_row(papers: Resolved) -> None:
    values = {
        "experiment.models": ["smollm2"],
        "experiment.wording": "rated",
        "experiment.tables": ["risum/table4"],
        "table.risum.table4.judges": ["self_agreement"],
    }
    own = with_values(papers, values).table("risum", "table4").rows
    assert own["SmolLM2-135M Self-Agreement (in the wording rated)"].protocol == "self_agreement@rated"


def test_a_table_says_where_a_judge_judges_what_it_wrote(papers: Resolved) -> None:
    assert "The judge wrote itself what it judges." in notes(papers, "tick_smollm2", "figure3")
    assert not [note for note in notes(papers, "tick_infobench", "figure3") if "wrote itself" in note]
    own = with_values(papers, {"table.tick_infobench.figure3.picks.model": "llama31_8b_instruct"})
    assert "The judge wrote itself what it judges." in notes(own, "tick_infobench", "figure3")
    (some,) = [note for note in notes(papers, "tick_infobench", "best_of_n") if "wrote" in note] or [""]
    assert not some, "whoever chooses among its own responses is no judge of the row"
