"""ROUGE: how many words two texts share, counted as either of two packages does."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

NOT_IN_WORDS = re.compile(r"[^a-z0-9]+")
SMALL = 1e-8
"""What the package `rouge` adds so as not to divide by nothing."""


def of_tokens(text: str, reference: str) -> float:
    """As rouge-score 0.1.2 and the original ROUGE-1.5.5: runs of letters and digits in small letters, without stems.

    A word counts as often as it stands in both texts.
    """
    return _shared(Counter(tokens(text)), Counter(tokens(reference)))


def tokens(text: str) -> list[str]:
    return [token for token in NOT_IN_WORDS.split(text.lower()) if token]


def _shared(mine: Counter[Any], theirs: Counter[Any]) -> float:
    return f_measure((mine & theirs).total(), mine.total(), theirs.total())


def f_measure(shared: int, mine: int, theirs: int) -> float:
    if not shared:
        return 0.0
    precision, recall = shared / mine, shared / theirs
    return 2 * precision * recall / (precision + recall)


def average(text: str, reference: str) -> float:
    """riSum's ROUGE-avg: the geometric mean of the F of ROUGE-1, ROUGE-2 and ROUGE-Lsum, as rouge-score counts.

    It is 0 where one of the three is.
    """
    mine, theirs = tokens(text), tokens(reference)
    pairs = (Counter(pairwise(each)) for each in (mine, theirs))
    parts = (_shared(Counter(mine), Counter(theirs)), _shared(*pairs), longest_common(text, reference))
    return math.prod(parts) ** (1 / 3)


def longest_common(text: str, reference: str) -> float:
    """ROUGE-Lsum: of each line of the reference, what it has in common with any line of the text in its order."""
    lines, others = ([tokens(line) for line in each.splitlines()] for each in (text, reference))
    mine, theirs = Counter(t for line in lines for t in line), Counter(t for line in others for t in line)
    left, other_left, hits = Counter(mine), Counter(theirs), 0
    for line in others:
        found = sorted({place for other in lines for place in common_places(line, other)})
        for token in (line[place] for place in found):
            if left[token] > 0 and other_left[token] > 0:
                hits += 1
                left[token] -= 1
                other_left[token] -= 1
    return f_measure(hits, mine.total(), theirs.total())


def common_places(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Where in the first the words of a longest common subsequence stand; of several, that of rouge-score."""
    lengths = [[0] * (len(second) + 1)]
    for word in first:
        above, row = lengths[-1], [0]
        for place, other in enumerate(second):
            row.append(above[place] + 1 if word == other else max(above[place + 1], row[place]))
        lengths.append(row)
    places, i, j = [], len(first), len(second)
    while i and j:
        if first[i - 1] == second[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif lengths[i][j - 1] > lengths[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places[::-1]


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
