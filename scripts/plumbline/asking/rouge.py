"""ROUGE: how many words two texts share, counted as either of two packages does."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

SMALL = 1e-8
"""What the package `rouge` adds so as not to divide by nothing."""
AVERAGED = ("rouge1", "rouge2", "rougeLsum")


def of_tokens(text: str, reference: str) -> float:
    """ROUGE-1 by rouge-score: runs of letters and digits in small letters, without stems.

    A word counts as often as it stands in both texts.
    """
    return _scores(text, reference, ("rouge1",))[0]


def average(text: str, reference: str) -> float:
    """riSum's ROUGE-avg: the geometric mean of the F of ROUGE-1, ROUGE-2 and ROUGE-Lsum, by rouge-score.

    It is 0 where one of the three is. Lsum takes each line for a sentence, and no word is stemmed: the package's
    defaults, as riSum says neither.
    """
    return math.prod(_scores(text, reference, AVERAGED)) ** (1 / 3)


def _scores(text: str, reference: str, names: tuple[str, ...]) -> list[float]:
    scores = _scorer(names).score(reference, text)
    return [float(scores[name].fmeasure) for name in names]


@cache
def _scorer(names: tuple[str, ...]) -> Any:
    from rouge_score.rouge_scorer import RougeScorer  # brings nltk: only where it is asked

    return RougeScorer(list(names), use_stemmer=False, split_summaries=False)


def of_words(text: str, reference: str) -> float:
    """As rouge 1.0.1, which HREF's released code imports: what stands between spaces and full stops, in its own case.

    A word counts once, however often it stands there.
    """
    mine, theirs = _words(text), _words(reference)
    shared = len(mine & theirs)
    if not shared or not text.strip():
        return 0.0
    precision, recall = shared / len(mine), shared / len(theirs)
    return 2 * (precision * recall / (precision + recall + SMALL))


def _words(text: str) -> set[str]:
    """A sentence of nothing but space is one empty word to the package."""
    sentences = [" ".join(part.split()) for part in text.split(".") if part]
    return {word for sentence in sentences for word in sentence.split(" ")}
