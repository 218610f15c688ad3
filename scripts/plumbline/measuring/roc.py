"""The area under the ROC curve of scores against yes and no, in weighted samples, and its standard error."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plumbline.measuring.bootstrap import Floats, Ints


def weighing(scores: Floats, positive: Floats, owner: Ints) -> Callable[[Floats], tuple[Floats, Floats, Floats]]:
    """From weights of the owners (samples, owners) to AUC and the weights of positive and negative scores.

    `positive` is the share of each score that is positive: 0.5 where people are divided, who count half on each side.
    Such an output is not compared with itself, nor are its copies in a sample, so that owners must differ where
    outputs do. Scores that tie are half right. With two classes, the mean of both classes' areas is the area of either.
    """
    order = np.argsort(scores, kind="stable")
    ordered, share, whose = scores[order], positive[order], owner[order]
    divided = np.flatnonzero(share * (1.0 - share))
    both = (share * (1.0 - share))[divided]
    first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(ordered) else np.empty(0, dtype=np.intp)

    def value(weights: Floats) -> tuple[Floats, Floats, Floats]:
        if not len(first):
            return np.full(len(weights), np.nan), np.zeros(len(weights)), np.zeros(len(weights))
        drawn = weights[:, whose]
        above = np.add.reduceat(drawn * share, first, axis=1)
        below = np.add.reduceat(drawn * (1.0 - share), first, axis=1)
        won = (above * (np.cumsum(below, axis=1) - below / 2.0)).sum(axis=1)
        positives, negatives = above.sum(axis=1), below.sum(axis=1)
        itself = np.square(drawn[:, divided]) @ both
        with np.errstate(invalid="ignore", divide="ignore"):
            return (won - itself / 2.0) / (positives * negatives - itself), positives, negatives

    return value


def auc(scores: Floats, positive: Floats) -> float:
    """The chance that a positive has the higher score than a negative, ties counted half."""
    area, _, _ = weighing(scores, positive, np.zeros(len(scores), dtype=np.intp))(np.ones((1, 1)))
    return float(area[0])


def hanley_mcneil(area: Floats, positives: Floats, negatives: Floats) -> Floats:
    """The standard error of an area under the curve (Hanley and McNeil 1982)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = area / (2.0 - area), 2.0 * area * area / (1.0 + area)
        squared = (
            area * (1.0 - area) + (positives - 1.0) * (first - area * area) + (negatives - 1.0) * (second - area * area)
        )
        return np.asarray(np.sqrt(np.maximum(squared, 0.0) / (positives * negatives)))
