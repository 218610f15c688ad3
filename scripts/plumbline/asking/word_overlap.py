"""How alike two texts are in their words: BLEU by sacrebleu, ROUGE's F1 by rouge-score, each between 0 and 1."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

METRICS = {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"}
"""Our names of what rouge-score calls otherwise."""
BLEU = "bleu"
ALL = (BLEU, *METRICS)
COUNT, COUNT_ERROR = "count", "count_error"


def word_overlap(mine: str, theirs: str) -> dict[str, float]:
    """Each of `ALL`, of a text against another, both as lower-case words without punctuation.

    BLEU counts sequences of up to four words, but none longer than the shorter text.
    """
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu import sentence_bleu

    mine, theirs = words(mine), words(theirs)
    if not mine or not theirs:
        return dict.fromkeys(ALL, float(mine == theirs))
    bleu = sentence_bleu(mine, [theirs], tokenize="none", use_effective_order=True).score / 100
    scores = RougeScorer(list(METRICS.values()), split_summaries=False).score(theirs, mine)
    return {BLEU: bleu} | {ours: float(scores[name].fmeasure) for ours, name in METRICS.items()}


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def checklist_text(questions: Iterable[str]) -> str:
    """A checklist as one text: its questions, one a line."""
    return "\n".join(questions)


def checklist_overlap(mine: Sequence[str], given: Sequence[str]) -> dict[str, float]:
    """BLEU, ROUGE and the difference in length between a checklist and the given one, and how long it is (TICK,
    Table 2).

    Without a question there is nothing alike, and as many questions are missing as are given.
    """
    overlap = word_overlap(checklist_text(mine), checklist_text(given)) if mine else dict.fromkeys(ALL, 0.0)
    return overlap | {COUNT: float(len(mine)), COUNT_ERROR: float(abs(len(mine) - len(given)))}
