"""Texts by their surface: what counts as equal, and as nearly equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.data.text_comparison import alike, bare, normalised


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
