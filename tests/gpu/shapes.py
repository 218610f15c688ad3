"""Models of real shape with random weights, and a real tokenizer trained on this repository's own texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

REPOSITORY = Path(__file__).parents[2]
CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' }}"
    "{{ message['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
COMMON: dict[str, Any] = {"max_position_embeddings": 8192, "bos_token_id": None, "eos_token_id": 2, "pad_token_id": 0}
SHAPES: dict[str, dict[str, Any]] = {
    "8b": {  # Llama-3.1-8B
        "vocab_size": 128256,
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
    },
    "tiny": {
        "vocab_size": 8192,
        "hidden_size": 128,
        "intermediate_size": 256,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "initializer_range": 0.2,
    },
}


def write_tokenizer(folder: Path) -> Any:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=8192,
        special_tokens=["<pad>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    patterns = ("config/benchmark/*.jsonl", "config/prompts/*/*.jinja", "*.md", "scripts/**/*.py")
    texts = [path.read_text(encoding="utf-8") for pattern in patterns for path in sorted(REPOSITORY.glob(pattern))]
    tokenizer.train_from_iterator(texts, trainer)
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<pad>", chat_template=CHATML
    )
    fast.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    fast.save_pretrained(folder)
    return fast


def random_model(shape: str, device: str, dtype: torch.dtype) -> Any:
    """Made where it will run: nothing of 16 GB is written or moved."""
    torch.manual_seed(7)
    config = transformers.LlamaConfig(**COMMON, **SHAPES[shape])
    with torch.device(device):
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=dtype)
    model.generation_config = transformers.GenerationConfig(eos_token_id=2, pad_token_id=0)
    return model.eval()


def write_model(folder: Path, shape: str, device: str, dtype: torch.dtype) -> Path:
    """For engines that load a folder."""
    random_model(shape, device, dtype).save_pretrained(folder)
    write_tokenizer(folder)
    return folder
