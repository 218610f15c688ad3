"""Logit bias: by how much the logits of which tokens are raised or lowered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from plumbline.models.asking import TokenBias


def added_by_token(bias: Iterable[TokenBias], ids: Callable[[TokenBias], Sequence[int]]) -> dict[int, float]:
    """What is added to each token; of several texts that share a token the last one counts (AlpacaFarm's decoders).

    A text to be avoided counts only where it is a single token: the pieces of a longer one begin other words too.
    """
    added: dict[int, float] = {}
    for each in bias:
        tokens = ids(each)
        if each.added > 0 or len(tokens) == 1:
            added |= dict.fromkeys(tokens, each.added)
    return added
