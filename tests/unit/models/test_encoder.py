"""Comparing texts by an encoder: a tiny one made here, its similarities against their definitions."""

from __future__ import annotations

import logging
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from asked import answers, user
from plumbline.models.asking import Completion, completion_key
from plumbline.models.context import EngineContext
from plumbline.models.engines.encoder import EncoderEngine, EncoderModel, Settings, open_engine
from plumbline.models.numbers import completed, number_in
from plumbline.models.similarity import By, Comparison
from plumbline.models.vectors import Embedding, embedded, vector_in
from plumbline.records.errors import PlumblineError

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cube", "how", "surface", "area", "sing", "song", "the", "of", "a", "."]
TEXTS = ["the surface area of a cube .", "how cube", "sing a song .", "area", "", "a a a a a song", "the [SEP] cube"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of three random layers, as RoBERTa's repository keeps one: no pooling is declared."""
    home = tmp_path_factory.mktemp("encoder")
    (home / "vocab.txt").write_text("\n".join(WORDS))
    torch.manual_seed(5)
    shape = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=24,
        intermediate_size=48,
        num_hidden_layers=3,
        num_attention_heads=2,
        max_position_embeddings=16,
        initializer_range=0.4,
    )
    transformers.BertModel(shape).save_pretrained(home)
    transformers.BertTokenizerFast(vocab=str(home / "vocab.txt")).save_pretrained(home)
    return home


def engine(folder: Path, layer: int = 2, batch: int = 4) -> EncoderEngine:
    model = EncoderModel("Tiny", "encoder", repository=str(folder), layer=layer)
    return EncoderEngine(model, Settings("encoder", batch=batch), threads=1)


def similar(to: EncoderEngine, by: By, *pairs: tuple[str, str]) -> list[float]:
    completions = [number_in(one) for one in answers(to, *(Comparison(by, *pair).request for pair in pairs))]
    return [value for value in completions if value is not None]


@cache
def loaded(folder: Path) -> tuple[Any, Any]:
    return tuple(kind.from_pretrained(folder) for kind in (transformers.AutoTokenizer, transformers.AutoModel))


@cache
def states(folder: Path, text: str, layer: int) -> tuple[np.ndarray, np.ndarray]:
    """The states of a text alone, without any padding, and which of its tokens count."""
    tokenizer, network = loaded(folder)
    ids = tokenizer(text.strip())["input_ids"]
    with torch.no_grad():
        result = network(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states[layer][0]
    frame = {tokenizer.cls_token_id, tokenizer.sep_token_id}
    return result.numpy().astype(float), np.array([token not in frame for token in ids])


def f1(folder: Path, text: str, reference: str, layer: int) -> float:
    """BERTScore's F1, written down from the paper: greedy matching, here with loops in place of matrices."""
    (mine, counted), (theirs, theirs_counted) = states(folder, text, layer), states(folder, reference, layer)
    if not counted.any() or not theirs_counted.any():
        return 0.0

    def best(vector: np.ndarray, among: np.ndarray) -> float:
        return max(float(vector @ other / np.linalg.norm(vector) / np.linalg.norm(other)) for other in among)

    precision = np.mean([best(vector, theirs) for vector in mine[counted]])
    recall = np.mean([best(vector, mine) for vector in theirs[theirs_counted]])
    return float(2 * precision * recall / (precision + recall))


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_bertscore_is_greedy_matching_of_the_tokens_states_in_the_layer(tiny: Path, layer: int) -> None:
    pairs = [(text, reference) for text in TEXTS for reference in TEXTS]
    result = similar(engine(tiny, layer), "bertscore", *pairs)
    np.testing.assert_allclose(result, [f1(tiny, *pair, layer) for pair in pairs], atol=2e-6)
    assert len({round(value, 3) for value in result}) > 15


def test_without_a_layer_bertscore_takes_the_last(tiny: Path) -> None:
    pair = ("how cube", "the surface area")
    assert similar(engine(tiny, 0), "bertscore", pair) == similar(engine(tiny, 3), "bertscore", pair)


def test_cosine_is_that_of_the_mean_states_of_all_tokens(tiny: Path) -> None:
    pairs = [(text, reference) for text in TEXTS[:4] for reference in TEXTS[:4]]
    means = {text: states(tiny, text, 3)[0].mean(axis=0) for text in TEXTS[:4]}
    expected = [float(means[a] @ means[b] / np.linalg.norm(means[a]) / np.linalg.norm(means[b])) for a, b in pairs]
    np.testing.assert_allclose(similar(engine(tiny), "cosine", *pairs), expected, atol=2e-6)


def test_a_text_is_as_similar_to_itself_as_can_be_and_an_empty_one_to_nothing(tiny: Path) -> None:
    result = similar(engine(tiny), "bertscore", ("sing a song .", "sing a song ."), ("", "sing"), ("sing", " \n"))
    assert result == pytest.approx([1, 0, 0], abs=1e-6)


def test_what_is_read_beside_a_text_changes_its_similarity_by_no_more_than_rounding(tiny: Path) -> None:
    pairs = [(text, reference) for text in TEXTS for reference in TEXTS]
    for by in ("bertscore", "cosine"):
        alone = similar(engine(tiny, batch=1), by, *pairs)
        np.testing.assert_allclose(similar(engine(tiny, batch=50), by, *pairs), alone, atol=1e-6)


def test_the_same_asks_give_the_same_bits(tiny: Path) -> None:
    pairs = [(text, reference) for text in TEXTS for reference in TEXTS]
    assert similar(engine(tiny), "bertscore", *pairs) == similar(engine(tiny), "bertscore", *pairs)


def test_a_text_longer_than_the_encoder_reads_is_cut_and_counted(tiny: Path, caplog: pytest.LogCaptureFixture) -> None:
    long = "song " * 30
    request = Comparison("bertscore", long, "sing").request
    with caplog.at_level(logging.WARNING, "plumbline"):
        (completions,) = answers(engine(tiny), request)
    assert completions.finish == "cut" and completions.prompt_tokens == 32 + 3
    assert "1 of 2 texts are longer than the 16 tokens" in caplog.text
    assert number_in(completions) == pytest.approx(f1(tiny, "song " * 14, "sing", 2), abs=2e-6)


def test_an_encoder_refuses_a_prompt(tiny: Path) -> None:
    with pytest.raises(PlumblineError, match="answers no prompt"):
        answers(engine(tiny), user("Which is better?"))


def test_the_kind_of_similarity_and_both_texts_decide_the_key() -> None:
    keys = {Comparison(by, *pair).request.key for by in ("bertscore", "cosine") for pair in (("a", "b"), ("b", "a"))}
    assert len(keys) == 4
    comparison = Comparison("cosine", "a", "b")
    assert Comparison.of(comparison.request) == comparison


def test_the_layer_and_the_weights_are_part_of_the_identity_but_not_the_place(tiny: Path, tmp_path: Path) -> None:
    request = Comparison("bertscore", "a", "b").request
    copy = Path(shutil.copytree(tiny, tmp_path / "copy"))
    key = completion_key(engine(tiny).identity, request)
    assert completion_key(engine(copy).identity, request) == key != completion_key(engine(tiny, 1).identity, request)
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
    assert completion_key(engine(copy).identity, request) != key


def test_weights_of_which_a_part_is_missing_are_refused(tiny: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    copy = Path(shutil.copytree(tiny, tmp_path / "part"))
    tensors = load_file(copy / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if "layer.1" not in name}
    save_file(kept, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(PlumblineError, match="not whole"):
        answers(engine(copy), Comparison("cosine", "a", "b").request)


def test_weights_without_a_pooler_or_under_a_language_models_names_are_whole(tiny: Path, tmp_path: Path) -> None:
    """As RoBERTa's repository keeps them: `roberta.…` and no pooler."""
    from safetensors.torch import load_file, save_file

    copy = Path(shutil.copytree(tiny, tmp_path / "named"))
    tensors = load_file(copy / "model.safetensors")
    renamed = {f"bert.{name}": tensor for name, tensor in tensors.items() if not name.startswith("pooler")}
    save_file(renamed, copy / "model.safetensors", {"format": "pt"})
    pair = ("the surface area", "how cube")
    assert similar(engine(copy), "bertscore", pair) == similar(engine(tiny), "bertscore", pair)


def test_the_first_word_has_a_space_before_it_for_robertas_tokenizer(tmp_path: Path) -> None:
    """As the package bert-score reads a text; without it the first word is another token than elsewhere."""
    vocabulary = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4, "Ġ": 5, "a": 6, "b": 7, "Ġa": 8, "Ġb": 9}
    tokenizer = transformers.RobertaTokenizer(vocab=vocabulary, merges=[("Ġ", "a"), ("Ġ", "b")])
    tokenizer.model_max_length = 12
    tokenizer.save_pretrained(tmp_path)
    torch.manual_seed(5)
    shape = transformers.RobertaConfig(
        vocab_size=10,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=14,
    )
    transformers.RobertaModel(shape).save_pretrained(tmp_path)
    made = engine(tmp_path, 1)
    assert made._ready()._ids("a b") == [0, 8, 9, 2] == made._ready()._ids("\n a b ")
    assert made._ready().longest == 12
    assert similar(made, "bertscore", ("a b", "a b")) == pytest.approx([1.0], abs=1e-6)


def test_a_number_survives_being_written_down() -> None:
    for value in (0.1 + 0.2, 1.0, -0.25, 1e-17):
        assert number_in(completed(value, 3, cut=False)) == value
    assert number_in(Completion("")) is None and number_in(Completion("nan")) is None


def test_the_engine_opens_by_its_kind(tiny: Path, tmp_path: Path) -> None:
    model = EncoderModel("Tiny", "encoder", repository=str(tiny))
    opened = open_engine(model, Settings("encoder"), EngineContext((), (), 1, tmp_path))
    assert opened.identity["dtype"] == "float32" and opened.identity["layer"] == 0


def placed(to: EncoderEngine, *asked: Embedding) -> list[np.ndarray]:
    return [vector_in(one) for one in answers(to, *(each.request for each in asked))]


def test_a_text_is_placed_by_the_mean_of_its_states_on_the_unit_sphere(tiny: Path) -> None:
    result = placed(engine(tiny), *map(Embedding, TEXTS[:4]))
    for text, row in zip(TEXTS[:4], result, strict=True):
        mean = states(tiny, text, 3)[0].mean(axis=0)
        np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=2e-6)
        assert row.dtype == np.float32 and np.linalg.norm(row) == pytest.approx(1)


def test_with_a_prefix_the_mean_is_over_the_text_alone(tiny: Path) -> None:
    tokenizer, network = loaded(tiny)
    with torch.no_grad():
        read = network(input_ids=torch.tensor([tokenizer("sing a song .")["input_ids"]])).last_hidden_state[0].numpy()
    mean = read[3:].mean(axis=0)  # without [CLS] and the prefix's two words
    (result,) = placed(engine(tiny), Embedding("song .", "sing a "))
    np.testing.assert_allclose(result, mean / np.linalg.norm(mean), atol=2e-6)


def test_equal_texts_get_equal_rows_beside_comparisons_and_other_prefixes(tiny: Path) -> None:
    asked = [Embedding("sing"), Embedding("how cube"), Embedding("sing"), Embedding("sing", "a ")]
    completions = answers(
        engine(tiny, batch=2), *(each.request for each in asked), Comparison("cosine", "a", "sing").request
    )
    assert completions[0] == completions[2] != completions[3] and number_in(completions[4]) is not None
    assert len({each.request.key for each in asked}) == 3


def test_a_row_is_written_down_exactly() -> None:
    row = np.array([0.1, -1e-30, 3.0], np.float32)
    assert vector_in(embedded(row, 3, cut=False)).tobytes() == row.tobytes()


def test_a_text_that_is_placed_by_its_beginning_alone_is_counted(tiny: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "plumbline"):
        (completions,) = answers(engine(tiny), Embedding("song " * 30).request)
    assert completions.finish == "cut" and "1 of 1 texts are longer than the 16 tokens" in caplog.text
