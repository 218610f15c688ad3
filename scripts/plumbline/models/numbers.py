"""Answers that are a number: how similar two texts are, how good an output is by a network's score."""

from __future__ import annotations

import math

from plumbline.models.asking import Completion


def completed(value: float, tokens: int, cut: bool, logprobs: tuple[float, ...] = ()) -> Completion:
    """The number written so that reading gives the same number; `cut` where the network did not read all of a text."""
    return Completion(repr(float(value)), "cut" if cut else "stop", tokens, 0, logprobs)


def number_in(completion: Completion) -> float | None:
    """The number in such an answer; none where there is none, e.g. in a preview."""
    try:
        value = float(completion.text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
