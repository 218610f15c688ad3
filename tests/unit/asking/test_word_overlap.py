"""Similarity of texts in their words, against values worked out by hand from the definitions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.asking.word_overlap import ALL, word_overlap


def test_equal_texts_are_wholly_alike_whatever_their_case_and_punctuation() -> None:
    assert word_overlap("Is it blue? Is it brief?", "is it BLUE\nis it brief") == pytest.approx(dict.fromkeys(ALL, 1.0))


def test_texts_without_a_common_word_are_not_alike() -> None:
    result = word_overlap("red green", "seven eight")
    assert [result[name] for name in ("rouge_1", "rouge_2", "rouge_l")] == [0.0, 0.0, 0.0]


def test_rouge_is_the_f1_of_common_words_pairs_and_the_longest_common_sequence() -> None:
    """Of the words `the cat sat` and `the dog sat on it`: 2 of 3 and 2 of 5 are common, no pair is."""
    result = word_overlap("the cat sat", "the dog sat on it")
    f1 = 2 * (2 / 3) * (2 / 5) / (2 / 3 + 2 / 5)
    assert (result["rouge_1"], result["rouge_l"], result["rouge_2"]) == (pytest.approx(f1), pytest.approx(f1), 0.0)


def test_bleu_is_the_geometric_mean_of_precisions_with_a_penalty_for_brevity() -> None:
    """Papineni et al. 2002: `a b c d e` against `a b c d f`: 4/5 words, 3/4 pairs, 2/3 triples, 1/2 fours."""
    result = word_overlap("a b c d e", "a b c d f")
    assert result["bleu"] == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    shorter = word_overlap("a b c d", "a b c d f")
    assert shorter["bleu"] == pytest.approx(math.exp(1 - 5 / 4))


@pytest.mark.parametrize(("mine", "theirs", "alike"), [("", "", 1.0), ("?!", "", 1.0), ("", "a", 0.0), ("a", "", 0.0)])
def test_without_words_texts_are_alike_only_if_both_have_none(mine: str, theirs: str, alike: float) -> None:
    assert word_overlap(mine, theirs) == dict.fromkeys(ALL, alike)


@given(st.text("ab c", max_size=30), st.text("ab c", max_size=30))
def test_every_similarity_lies_between_0_and_1(mine: str, theirs: str) -> None:
    assert all(0 <= value <= 1 + 1e-9 for value in word_overlap(mine, theirs).values())
