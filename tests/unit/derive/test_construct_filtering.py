"""Adversarial filtering: which candidates stay, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from asked import judged
from hypothesis import given
from hypothesis import strategies as st
from plumbline.asking.judge import Judge
from plumbline.asking.prompts import PromptSet
from plumbline.asking.protocols import ProtocolName, ProtocolOptions
from plumbline.asking.replay import verdicts_of
from plumbline.data.verdicts import MISSING, Reading, Said, Verdict
from plumbline.derive.candidates import Candidate
from plumbline.derive.filtering import (
    SEEN_THROUGH,
    filtered,
    is_seen_through,
    read_filtered,
    shown,
    write_filtered,
)
from plumbline.models.engines.scripted import ScriptedEngine
from plumbline.workflow.resolved import Resolved
from rebuilt import CONFIG

FIRST, UNREAD = Said("first"), Said(missing="unparsed")
LABELS = st.lists(st.sampled_from(["first", "second", "tie", "unparsed", "refused"]), max_size=12)
CANDIDATE = Candidate("one", "I", "O1", "O2", "first", "item", "", None, "given", "given", "", "file#0")


def verdicts(*labels: str) -> list[Verdict]:
    showings = ("plain", "swapped")
    said = [Said(missing=label) if label in MISSING else Said(label) for label in labels]
    return [
        Verdict("one", f"p{number // 2}", "better", showings[number % 2], what, what)
        for number, what in enumerate(said)
    ]


@pytest.mark.parametrize(("agreeing", "goes"), [(0, False), (4, False), (5, True), (8, True)])
def test_of_eight_labels_five_that_agree_are_a_majority_and_four_are_not(agreeing: int, goes: bool) -> None:
    labels = ["first"] * agreeing + ["second"] * (8 - agreeing)
    assert is_seen_through("first", labels, 0.5) is goes


def test_a_candidate_that_nobody_labelled_stays() -> None:
    assert not is_seen_through("first", [], 0.5)


@given(LABELS, st.sampled_from(["first", "second"]), st.floats(0, 1))
def test_only_more_agreement_can_make_a_candidate_go(labels: list[str], gold: str, majority: float) -> None:
    if is_seen_through(gold, labels, majority):
        assert is_seen_through(gold, [*labels, gold], majority)
        assert is_seen_through(gold, labels, majority / 2)


@given(LABELS)
def test_ties_and_missing_verdicts_never_count_as_agreement(labels: list[str]) -> None:
    silenced = ["second" if label == "first" else label for label in labels]
    assert not is_seen_through("first", silenced, 0.0)


def test_all_labels_are_kept_with_who_gave_them_and_survive_the_file(tmp_path: Path) -> None:
    judged = {"judge": verdicts(*["first"] * 5, *["second"] * 3)}
    rows = filtered([CANDIDATE], judged, 0.5)
    assert rows[0].dropped == SEEN_THROUGH and rows[0].agreeing == 5
    assert [label.showing for label in rows[0].labels] == ["plain", "swapped"] * 4
    write_filtered(tmp_path / "filtered.parquet", rows)
    assert read_filtered(tmp_path / "filtered.parquet") == rows


def test_a_candidate_dropped_before_keeps_its_first_reason() -> None:
    dropped = replace(CANDIDATE, dropped="O1 is empty")
    assert filtered([dropped], {"judge": verdicts(*["first"] * 8)}, 0.5)[0].dropped == "O1 is empty"


def test_where_the_second_output_is_the_better_one_agreement_is_with_the_second() -> None:
    candidate = replace(CANDIDATE, gold="second")
    assert filtered([candidate], {"judge": verdicts(*["first"] * 8)}, 0.5)[0].dropped == ""
    assert filtered([candidate], {"judge": verdicts(*["second"] * 8)}, 0.5)[0].dropped == SEEN_THROUGH


LENGTHS = replace(CANDIDATE, first="A long answer.", second="Short.")
ANSWERS = {"compare": ["Output (a)"], "rate": ["3", "7"], "told": [""], "untold": [""]}


def said_of(papers: Resolved, *protocols: str) -> list[Verdict]:
    """What real programs say of a candidate, and what follows from it."""
    wording = CONFIG / "prompts" / "plumbline"
    prompts = PromptSet("plumbline", papers.config.prompts["plumbline"], lambda name: (wording / name).read_text())
    judge = Judge(papers.config.model["smollm2"], {"plumbline": prompts, "": prompts})
    asked = [
        ProtocolOptions(f"{name}@plumbline", papers.config.protocol[ProtocolName.parse(name).base])
        for name in protocols
    ]
    (instance,) = shown("mine", [LENGTHS])
    results = judged([instance], asked, judge, ScriptedEngine(ANSWERS))
    return [verdict for result in results for verdict in verdicts_of(result)]


@pytest.mark.parametrize(
    ("protocol", "showings"),
    [
        ("vanilla+rules", ["plain", "swapped"]),
        ("longer", ["none"]),
        ("shorter", ["none"]),
        ("likelihood", ["none"]),
        ("rating+rules", ["none"]),
    ],
)
def test_an_evaluator_that_knows_no_order_gives_one_label_and_no_copy_of_it(
    papers: Resolved, protocol: str, showings: list[str]
) -> None:
    (row,) = filtered([LENGTHS], {"judge": said_of(papers, protocol)}, 0.5)
    assert sorted(label.showing for label in row.labels) == showings


def test_a_length_rule_has_one_vote_where_a_judge_of_both_orders_has_two(papers: Resolved) -> None:
    """The judge prefers what it is shown first, so of its two labels one agrees: with the rule's one, two of three."""
    (row,) = filtered([LENGTHS], {"judge": said_of(papers, "vanilla+rules"), "length": said_of(papers, "longer")}, 0.5)
    assert (row.agreeing, len(row.labels), row.dropped) == (2, 3, SEEN_THROUGH)
    (row,) = filtered([LENGTHS], {"judge": said_of(papers, "vanilla+rules"), "length": said_of(papers, "shorter")}, 0.5)
    assert (row.agreeing, len(row.labels), row.dropped) == (1, 3, "")


@pytest.mark.parametrize(("reading", "stays"), [("strict", True), ("as_published", False)])
def test_labels_are_those_of_the_reading_that_the_filter_names(reading: Reading, stays: bool) -> None:
    judge = [Verdict("one", "p", "better", showing, FIRST, UNREAD) for showing in ("plain", "swapped")]
    (row,) = filtered([CANDIDATE], {"judge": judge}, 0.5, reading)
    assert (row.dropped == "") is stays
    assert {label.label for label in row.labels} == ({"unparsed"} if stays else {"first"})


def test_evaluators_are_shown_a_candidates_input_apart_and_no_label() -> None:
    candidate = replace(CANDIDATE, instruction="Sort it.\n\nb a", input="b a")
    plain, apart = shown("mine", [CANDIDATE, candidate])
    assert plain.context == {} and apart.context == {"input": ("b a",)}
    assert apart.instruction == "Sort it.\n\nb a"
    assert "first" not in repr(replace(apart, outputs=()))
