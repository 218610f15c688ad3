"""How far a model's arithmetic alone can move a verdict: by batch, threads, processor and number format."""

from __future__ import annotations

from typing import Any

NOISE = {"float32": 0.0005, "float16": 0.05, "bfloat16": 0.4}
"""Nats by number format. `tests/bench/bench_noise.py` measures on SmolLM2 by how much margins move between batches,
threads and instruction sets, and from float32: 0.00004 in float32, 0.03 in float16, 0.32 in bfloat16. These are rounded
up, and float32's has room for longer prompts and deeper networks."""
SIMILARITY_NOISE = {"float32": 0.000005, "float16": 0.002, "bfloat16": 0.01}
"""Of similarities between 0 and 1, on MiniLM and 20 to 50 pairs of PandaLM: batches and threads move them by 0.0000003,
float16 by 0.0005, bfloat16 by 0.004."""
SCORE_NOISE = {"float32": 0.0001, "float16": 0.05, "bfloat16": 0.4}
"""Of the scores of reward models and classifiers, in their own units. `tests/bench/bench_classifier.py` measures by how
much those of a random head on SmolLM2, some units apart, move between batches and threads, and from float32: 0.00001 in
float32, 0.02 in float16, 0.13 in bfloat16."""
UNKNOWN = "bfloat16"
"""What is assumed where an engine chooses the format itself, or does not say."""
AUTO = "auto"


def of_likelihoods(number_format: str) -> float:
    """Of log-probabilities that are computed in this format."""
    return NOISE[UNKNOWN if number_format == AUTO else number_format]


def of_similarities(number_format: str) -> float:
    """Of similarities between embeddings that are computed in this format."""
    return SIMILARITY_NOISE[UNKNOWN if number_format == AUTO else number_format]


def of_scores(number_format: str) -> float:
    """Of the scores of a network with a head that is computed in this format."""
    return SCORE_NOISE[UNKNOWN if number_format == AUTO else number_format]


def nothing_computed(model: Any) -> None:
    """For an engine whose answers do not come from arithmetic."""


def is_close(gap: float | None, noise: float | None) -> bool:
    """Whether the noise could turn a verdict that is `gap` nats away from another one.

    Nothing is known of verdicts that a model puts into words of its own, whose log-probabilities nobody reports.
    """
    return gap is not None and noise is not None and gap <= noise
