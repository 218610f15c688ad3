"""ROUGE-1: how many words two texts share, counted as either of two packages does."""

from __future__ import annotations

import re
from collections import Counter

NOT_IN_WORDS = re.compile(r"[^a-z0-9]+")
SMALL = 1e-8
"""What the package `rouge` adds so as not to divide by nothing."""


def of_tokens(text: str, reference: str) -> float:
    """As rouge-score 0.1.2 and the original ROUGE-1.5.5: runs of letters and digits in small letters, without stems.

    A word counts as often as it stands in both texts.
    """
    mine, theirs = (Counter(filter(None, NOT_IN_WORDS.split(each.lower()))) for each in (text, reference))
    shared = (mine & theirs).total()
    if not shared:
        return 0.0
    precision, recall = shared / mine.total(), shared / theirs.total()
    return 2 * precision * recall / (precision + recall)


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
