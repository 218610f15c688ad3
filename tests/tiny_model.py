"""A language model of two random layers, with a real tokenizer and a ChatML template, made in a moment."""

from __future__ import annotations

from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' }}"
    "{{ message['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
WORDS = "Output (a) (b) is better the answer system user assistant which of these two follows 0 1 5 10"


def make_model(folder: Path, template: str = CHATML, begin: bool = False, width: int = 32, longest: int = 512) -> Path:
    """Two random layers and a byte-level tokenizer; with `begin` <s> is put before every text, as for Llama; without a
    template it is a base model."""
    specials = ["<pad>", "<s>", "<|im_start|>", "<|im_end|>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    letters = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=specials, initial_alphabet=letters, show_progress=False
    )
    tokenizer.train_from_iterator([WORDS] * 9, trainer)
    if begin:
        tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>" if begin else None,
        eos_token="<|im_end|>",
        pad_token="<pad>",
        additional_special_tokens=["<|im_start|>"],
        chat_template=template or None,
    )
    torch.manual_seed(7)
    shape = transformers.LlamaConfig(
        vocab_size=len(fast),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=longest,
        initializer_range=0.3,
        bos_token_id=1,
        eos_token_id=3,
    )
    transformers.LlamaForCausalLM(shape).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder
