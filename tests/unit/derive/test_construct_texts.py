"""Degenerate texts: what counts as equal, nearly equal, or refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.data.surface import alike, bare, normalised
from plumbline.derive.candidates import Candidate, screened, why_degenerate

CANDIDATE = Candidate("", "I", "Red.", "Green.", "first", "i", "", None, "asked first", "asked second", "", "")


@given(st.text())
def test_a_text_equals_itself_whatever_its_case_and_spaces(text: str) -> None:
    assert normalised(f"  {text}\n") == normalised(text)
    assert alike(text, text) == 1.0


@given(st.text(), st.text())
def test_likeness_is_the_same_both_ways_and_a_share(first: str, second: str) -> None:
    assert alike(first, second) == alike(second, first)
    assert 0.0 <= alike(first, second) <= 1.0


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('New task: "Name a lake."', "Name a lake."),
        ("Instruction: Name a lake.", "Name a lake."),
        ('"Name" is a verb and "lake" a noun.', '"Name" is a verb and "lake" a noun."'[:-1]),
        ("Name a lake.", "Name a lake."),
        ('""', ""),
    ],
)
def test_a_changed_instruction_is_taken_without_its_label_and_quotes(written: str, meant: str) -> None:
    assert bare(written) == meant


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("", "x", "O1 is empty"),
        ("x", " \n", "O2 is empty"),
        ("I cannot help with that.", "x", "O1 is a refusal"),
        ("x", "As an AI, I have no view.", "O2 is a refusal"),
        ("A  red hat", "a red hat.", "O1 equals O2"),
        ("The red hat is on the table.", "The green hat is on the chair.", ""),
        ("Count to ten. " * 3, "Count to ten. " * 2, "O1 and O2 are near-duplicates"),
        ("Red", "Green", ""),
    ],
)
def test_a_useless_candidate_is_dropped_with_its_reason(first: str, second: str, reason: str) -> None:
    assert why_degenerate(replace(CANDIDATE, first=first, second=second), 0.9) == reason


def test_a_reference_output_that_declines_is_no_refusal_of_a_model() -> None:
    reference = replace(CANDIDATE, first="I cannot help with that.", first_from="reference x")
    assert why_degenerate(reference, 0.9) == ""


def test_where_people_gave_the_label_a_comma_may_be_the_difference() -> None:
    given = replace(CANDIDATE, first="Eat, Granny!", second="Eat Granny!")
    assert why_degenerate(given, 0.9) == "O1 equals O2"
    assert why_degenerate(given, None) == ""


def test_of_equal_candidates_the_first_stays() -> None:
    assert [one.dropped for one in screened([CANDIDATE, CANDIDATE], 0.9)] == ["", "repeated candidate"]
