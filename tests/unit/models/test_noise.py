"""Verdicts that hang on less than the arithmetic's noise are marked, by the number format a model computes in."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plumbline.asking.aids import Prepared
from plumbline.asking.protocols import ProtocolOptions
from plumbline.asking.replay import verdicts_of
from plumbline.asking.runs import Ran
from plumbline.data.instances import pair
from plumbline.data.verdicts import Outcome, Verdict
from plumbline.models.asking import Completion
from plumbline.models.engines.weights import LocalModel
from plumbline.models.kinds import model_on, named
from plumbline.models.noise import NOISE, SIMILARITY_NOISE, is_close

logprobs = st.floats(-50, 0)
OF_RECORDS = {"recorded": {"source": "llmbar", "folder": "GPT-4"}}
"""What a model's file must say on an engine of this kind."""


def noise_of(kind: str, **options: str) -> float | None:
    """Of a model on an engine of this kind."""
    declared = {"label": "M", "engine": "e"} | OF_RECORDS.get(kind, {}) | options
    return named(kind).noise(model_on(kind, declared, "model.m"))


def test_every_number_format_has_its_noise_and_fewer_digits_make_more_of_it() -> None:
    formats = set(get_args(get_type_hints(LocalModel)["dtype"])) - {"auto"}
    assert set(NOISE) == formats
    assert 0 < NOISE["float32"] < NOISE["float16"] < NOISE["bfloat16"]


def test_a_similarity_has_a_noise_of_its_own_and_an_encoder_computes_in_float32_unless_told() -> None:
    assert set(SIMILARITY_NOISE) == set(NOISE)
    assert all(SIMILARITY_NOISE[name] < NOISE[name] for name in NOISE)
    assert noise_of("encoder") == SIMILARITY_NOISE["float32"]
    assert noise_of("encoder", dtype="bfloat16") == SIMILARITY_NOISE["bfloat16"]


@pytest.mark.parametrize(
    ("engine", "dtype", "same_as"),
    [
        ("embedded", "auto", "float32"),
        ("embedded", "bfloat16", "bfloat16"),
        ("vllm", "auto", "bfloat16"),
        ("vllm", "float32", "float32"),
    ],
)
def test_an_engine_that_does_not_say_in_what_it_computes_is_taken_for_the_coarsest(
    engine: str, dtype: str, same_as: str
) -> None:
    assert noise_of(engine, dtype=dtype) == NOISE[same_as]
    assert noise_of("endpoint") == NOISE["bfloat16"]


@pytest.mark.parametrize("engine", ["none", "recorded", "scripted"])
def test_what_is_not_computed_here_has_no_noise(engine: str) -> None:
    assert noise_of(engine) is None
    assert not is_close(0.0, noise_of(engine))


@given(st.lists(logprobs, max_size=10))
def test_the_gap_of_a_choice_is_what_the_best_has_over_the_next(values: list[float]) -> None:
    gap = Completion("", logprobs=tuple(values)).gap
    if len(values) < 2:
        assert gap is None
    else:
        best = max(values)
        others = [*values]
        others.remove(best)
        assert gap == best - max(others)


def test_a_verdict_is_marked_when_its_gap_is_within_the_noise_and_only_then() -> None:
    near = Verdict("one", "vanilla", "better", "plain", Outcome("first"), Outcome("first"), gap=0.0004)
    far, unknown = replace(near, gap=0.6), replace(near, gap=None)
    options = ProtocolOptions("vanilla@plumbline", Prepared("compare", "Vanilla"))

    def marked(engine: str, *verdicts: Verdict) -> list[bool]:
        result = Ran(pair("Do it", "a", "b"), options, verdicts, [])
        return [verdict.close for verdict in verdicts_of(result, noise_of(engine))]

    assert marked("embedded", near, far) == [True, False]
    assert marked("vllm", near, unknown) == [True, False]
    assert marked("recorded", near, near) == [False, False]
