"""Tiny networks of the architectures that judge without words, with random weights and real tokenizers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import sentencepiece
import torch
import transformers
from safetensors.torch import load_file, save_file
from tiny_model import make_model
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "cube",
    "how",
    "surface",
    "area",
    "sing",
    "song",
    "the",
    "of",
    "a",
    "b",
    ".",
]
SPREAD = 0.5
"""So large are random weights: scores of different texts then lie far apart."""


def make_reward_model(folder: Path, labels: int = 1, **tiny: Any) -> Path:
    """A Llama with a head for classification, over the tokenizer and chat template of a tiny chat model."""
    make_model(folder, **tiny)
    body = transformers.LlamaForCausalLM.from_pretrained(folder)
    shape = body.config
    shape.num_labels, shape.pad_token_id = labels, 0
    torch.manual_seed(11)
    network = transformers.LlamaForSequenceClassification(shape)
    network.model.load_state_dict(body.model.state_dict())
    torch.nn.init.normal_(network.score.weight, std=SPREAD)
    network.save_pretrained(folder)
    return folder


def make_bert(folder: Path, labels: int = 1, names: tuple[str, ...] = ()) -> Path:
    """A BERT with a head, of a vocabulary of whole words."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    torch.manual_seed(5)
    shape = transformers.BertConfig(num_labels=labels, **SMALL)
    if names:
        shape.id2label = dict(enumerate(names))
        shape.label2id = {name: number for number, name in enumerate(names)}
    transformers.BertForSequenceClassification(shape).save_pretrained(folder)
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    return folder


SMALL: dict[str, Any] = {
    "vocab_size": 32,
    "hidden_size": 24,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "max_position_embeddings": 64,
    "initializer_range": SPREAD,
}


def make_bleurt(folder: Path, narrow: int = 8) -> Path:
    """BLEURT as its port to torch keeps it, pickled: RemBERT with narrow embeddings, or BERT without."""
    make_bert(folder)
    kind = transformers.RemBertModel if narrow else transformers.BertModel
    shape = transformers.RemBertConfig if narrow else transformers.BertConfig
    torch.manual_seed(3)
    own = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": 0}
    body = kind(shape(**SMALL, **own, **({"input_embedding_size": narrow} if narrow else {})))
    state = {f"bleurt.{bleurt_name(name)}": tensor for name, tensor in body.state_dict().items()}
    state |= {"classifier.weight": torch.randn(1, 24), "classifier.bias": torch.randn(1)}
    (folder / "model.safetensors").unlink()
    torch.save(state, folder / "pytorch_model.bin")
    settings = {**SMALL, "model_type": "bleurt", "num_labels": 1, "pad_token_id": 0, "hidden_act": "gelu"}
    (folder / "config.json").write_text(json.dumps(settings | ({"embedding_size": narrow} if narrow else {})))
    return folder


def with_sentencepiece(folder: Path) -> Path:
    """As BLEURT-20 keeps its tokenizer: a model of SentencePiece, and the name of a class that transformers lacks."""
    for name in ("vocab.txt", "tokenizer.json"):
        (folder / name).unlink(missing_ok=True)
    specials = {"pad_piece": "[PAD]", "unk_piece": "[UNK]", "bos_piece": "[CLS]", "eos_piece": "[SEP]"}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([" ".join(WORDS[4:])] * 40),
        model_prefix=str(folder / "spm"),
        vocab_size=32,
        hard_vocab_limit=False,
        **{"pad_id": 0, "unk_id": 1, "bos_id": 2, "eos_id": 3, **specials},
        minloglevel=3,
    )
    own = {"tokenizer_class": "BleurtSPTokenizer", "do_lower_case": False, "split_by_punct": False}
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(own | names))
    return folder


def bleurt_name(name: str) -> str:
    return name.replace("embedding_hidden_mapping_in", "embedding_projection")


def make_alpaca_farm(folder: Path) -> Path:
    """A reward model as AlpacaFarm saves it, in two pickled parts, beside the LLaMA that it was made of."""
    backbone = make_model(folder.parent / "llama", template="", begin=True)
    state = load_file(backbone / "model.safetensors")
    torch.manual_seed(2)
    state = {f"backbone_model.{name}": tensor for name, tensor in state.items()}
    state |= {"reward_head.weight": torch.randn(1, 32), "reward_head.bias": torch.randn(1)}
    folder.mkdir()
    for file in backbone.glob("*.json"):
        (folder / file.name).write_bytes(file.read_bytes())
    names = sorted(state)
    torch.save({name: state[name] for name in names[::2]}, folder / "pytorch_model-00001-of-00002.bin")
    torch.save({name: state[name] for name in names[1::2]}, folder / "pytorch_model-00002-of-00002.bin")
    settings = {
        "model_type": "reward_model",
        "backbone_model_name_or_path": str(backbone),
        "architectures": ["RewardModel"],
    }
    (folder / "config.json").write_text(json.dumps(settings))
    return folder


def make_t5(folder: Path, pickled: bool = False) -> Path:
    """A T5 of two random layers, over whole words; its tokenizer ends each text."""
    tokenizer = word_tokenizer(
        [
            "<pad>",
            "</s>",
            "<unk>",
            *WORDS[4:],
            *["POST:", "RESPONSE", "A:", "B:", "A", "B", "1", "0", "premise:", "hypothesis:"],
        ]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    torch.manual_seed(8)
    shape = transformers.T5Config(
        vocab_size=tokenizer.get_vocab_size(),
        d_model=24,
        d_kv=12,
        d_ff=48,
        num_layers=2,
        num_heads=2,
        decoder_start_token_id=0,
        initializer_factor=1.0,
    )
    network = transformers.T5ForConditionalGeneration(shape)
    return kept(folder, network, tokenizer, pickled, eos_token="</s>", pad_token="<pad>", unk_token="<unk>")


def make_bart(folder: Path) -> Path:
    """A BART of two random layers: its tokenizer puts a token before and after each text."""
    tokenizer = word_tokenizer(["<s>", "<pad>", "</s>", "<unk>", *WORDS[4:]])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    torch.manual_seed(9)
    shape = transformers.BartConfig(
        vocab_size=tokenizer.get_vocab_size(),
        d_model=24,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        max_position_embeddings=32,
        init_std=SPREAD,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_eos_token_id=2,
    )
    network = transformers.BartForConditionalGeneration(shape)
    names = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    return kept(folder, network, tokenizer, pickled=False, model_max_length=32, **names)


def word_tokenizer(words: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return tokenizer


def kept(folder: Path, network: Any, tokenizer: Tokenizer, pickled: bool, **names: Any) -> Path:
    network.save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    if pickled:
        torch.save(network.state_dict(), folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
    return folder


def without(folder: Path, copy: Path, *names: str) -> Path:
    """A copy whose weights lack some tensors."""
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    state = load_file(folder / "model.safetensors")
    save_file(
        {name: tensor for name, tensor in state.items() if name not in names},
        copy / "model.safetensors",
        {"format": "pt"},
    )
    return copy
