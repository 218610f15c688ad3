"""vLLM's pooling runner gives the scores that transformers gives, for each network that is served by it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from plumbline.models.asking import CallPlace, Completion
from plumbline.models.context import EngineContext
from plumbline.models.engines import classifier, vllm_classifier
from plumbline.models.engines.classifier import ClassifierModel
from plumbline.models.engines.formats import Format
from plumbline.models.engines.vllm_settings import Serving, Settings
from plumbline.models.numbers import number_in
from plumbline.models.scores import Scoring
from plumbline.records.errors import PlumblineError
from tiny_model import make_model

AGREE = 1e-3
"""The scores of the two engines in float32."""
SHAPES: dict[str, tuple[Any, Any]] = {
    "LlamaForSequenceClassification": (transformers.LlamaConfig, transformers.LlamaForSequenceClassification),
    "Qwen2ForSequenceClassification": (transformers.Qwen2Config, transformers.Qwen2ForSequenceClassification),
    "Qwen3ForSequenceClassification": (transformers.Qwen3Config, transformers.Qwen3ForSequenceClassification),
}
PAIRS = [(f"Say {'it ' * (n % 7)}{n}.", f"The answer is {'better ' * (n % 5)}{n}.") for n in range(24)]
SETTINGS = Settings("vllm_classifier", batch=16, serving=Serving(eager=True))


def made(folder: Path, name: str, labels: int = 1, pad: int = 0) -> Path:
    """A network of two random layers with a head, and the tokenizer of a tiny chat model."""
    make_model(folder)
    for left in (*folder.glob("*.safetensors"), folder / "generation_config.json"):
        left.unlink()
    shape, network = SHAPES[name]
    torch.manual_seed(4)
    size = {"hidden_size": 128, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    own = {"num_key_value_heads": 2, "head_dim": 32, "max_position_embeddings": 512, "initializer_range": 0.3}
    network(shape(vocab_size=400, pad_token_id=pad, num_labels=labels, **size, **own)).save_pretrained(folder)
    return folder


def scores(open_engine: Callable[..., Any], settings: Any, model: ClassifierModel, folder: Path) -> list[Completion]:
    engine = open_engine(model, settings, EngineContext((), (), 2, folder.parent / "cache"))

    async def ask() -> list[Completion]:
        asked = [Scoring({"instruction": one, "output": other}).request for one, other in PAIRS]
        try:
            return list(await asyncio.gather(*(engine.answer(each, CallPlace("", "", "", "")) for each in asked)))
        finally:
            await engine.close()

    return asyncio.run(ask())


@pytest.mark.parametrize("name", SHAPES)
def test_a_network_that_is_served_gets_the_scores_of_transformers(name: str, tmp_path: Path) -> None:
    assert tuple(SHAPES) == vllm_classifier.SERVED
    folder = made(tmp_path / "reward", name)
    model = ClassifierModel("Tiny", "e", repository=str(folder), dtype="float32", context=500)
    ours = scores(classifier.open_engine, classifier.Settings("classifier"), model, folder)
    theirs = scores(vllm_classifier.open_engine, SETTINGS, model, folder)
    numbers = [number_in(one) for one in ours]
    assert [number_in(one) for one in theirs] == pytest.approx(numbers, abs=AGREE)
    assert len({round(number or 0, 2) for number in numbers}) > 12


def test_labels_formats_and_a_padding_token_that_ends_texts_are_read_alike(tmp_path: Path) -> None:
    folder = made(tmp_path / "labels", "LlamaForSequenceClassification", labels=3, pad=3)
    options = {"scored_label": "LABEL_1", "format": Format("{instruction} {output}<|im_end|>"), "context": 500}
    model = ClassifierModel("Tiny", "e", repository=str(folder), dtype="float32", **options)
    ours = scores(classifier.open_engine, classifier.Settings("classifier"), model, folder)
    theirs = scores(vllm_classifier.open_engine, SETTINGS, model, folder)
    assert [number_in(one) for one in theirs] == pytest.approx([number_in(one) for one in ours], abs=AGREE)
    assert [one.logprobs[0] for one in theirs] == pytest.approx([one.logprobs[0] for one in ours], abs=AGREE)


def test_another_network_is_refused_with_the_engine_that_runs_it(tmp_path: Path) -> None:
    folder = made(tmp_path / "own", "LlamaForSequenceClassification")
    model = ClassifierModel("Own", "e", repository=str(folder))
    config = json.loads((folder / "config.json").read_text())
    for change in ({"architectures": ["RewardModel"]}, {"auto_map": {"AutoModelForSequenceClassification": "a.B"}}):
        (folder / "config.json").write_text(json.dumps(config | change))
        with pytest.raises(PlumblineError, match="`engine: classifier`, which runs it in transformers"):
            vllm_classifier.open_engine(model, SETTINGS, EngineContext((), (), 2, tmp_path))
