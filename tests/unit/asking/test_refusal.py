"""What a refusal is, on sentences that were labelled before the rules were written."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.asking.answer_text.answers import why_none
from plumbline.asking.refusal import WITHHELD, is_refusal
from plumbline.asking.texts import state_of
from plumbline.models.asking import Completion

LABELLED = [json.loads(line) for line in Path(__file__).with_name("refusals.jsonl").read_text().splitlines()]
TEXTS = [row["text"] for row in LABELLED]


def test_there_are_a_hundred_labelled_sentences_and_half_of_them_refuse() -> None:
    assert len(set(TEXTS)) == 100
    assert Counter(row["refusal"] for row in LABELLED) == {True: 50, False: 50}


def test_precision_and_recall_on_the_labelled_sentences_are_at_least_98_in_100() -> None:
    result = Counter((row["refusal"], is_refusal(row["text"])) for row in LABELLED)
    assert result[True, True] / (result[True, True] + result[False, True]) >= 0.98
    assert result[True, True] / (result[True, True] + result[True, False]) >= 0.98


@pytest.mark.parametrize("text", TEXTS)
def test_an_answer_that_judges_and_a_text_that_is_written_refuse_alike(text: str) -> None:
    answer = Completion(text)
    assert (why_none(answer) == "refused") == (state_of(answer) == "refused") == is_refusal(text)


@pytest.mark.parametrize("finish", sorted(WITHHELD))
def test_what_a_provider_keeps_back_is_refused_whatever_it_says(finish: str) -> None:
    kept = Completion("A poem about the sea.", finish=finish)
    assert why_none(kept) == state_of(kept) == "refused"


@pytest.mark.parametrize(
    "text",
    [
        "I cannot provide a response to this question as it violates my policy",
        "I'm sorry, but no.",
        "As an AI, I have no view.",
        "Unfortunately, I am unable to open links.",
        "I'm sorry, but as a language model AI, I cannot diagnose you.",
    ],
)
def test_a_text_that_opens_by_declining_is_a_refusal(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    ["", "Hm", "I cannot determine which is better.", "x" * 300 + ". I cannot provide it.", "Sorry, no one is here."],
)
def test_one_that_merely_has_no_verdict_or_declines_far_down_is_none(text: str) -> None:
    assert not is_refusal(text)


@given(
    st.lists(st.sampled_from(["I ", "cannot ", "sorry", ", ", "but ", "so ", '"', "as an AI ", "\n", ". "]), max_size=8)
)
def test_refusals_are_looked_for_in_bounded_time(pieces: list[str]) -> None:
    begun = time.perf_counter()
    is_refusal("".join(pieces) * 20_000)
    assert time.perf_counter() - begun < 0.5
