"""Adversarial filtering: which candidates stay, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.construct.candidates import Candidate
from plumbline.construct.filtering import (
    SEEN_THROUGH,
    filtered,
    is_seen_through,
    read_filtered,
    write_filtered,
)
from plumbline.data.verdicts import MISSING, Said, Verdict

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
