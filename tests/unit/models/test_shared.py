"""What texts begin with alike is read once, and changes no answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
import torch
import transformers
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.models.engines.forward import ForwardModel, ForwardRow, Prompt
from plumbline.models.engines.packs import MOST_TOKENS, Branch, Text, packs

TINY: dict[str, Any] = {
    "vocab_size": 24,
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "initializer_range": 0.5,
    "bos_token_id": 1,
    "eos_token_id": 3,
    "pad_token_id": 0,
}
LONG_ROPE = {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0}
SHAPES: dict[str, Callable[[], Any]] = {
    "llama": lambda: transformers.LlamaConfig(**TINY),
    "gpt2": lambda: transformers.GPT2Config(n_embd=16, n_layer=2, n_head=4, n_positions=64, **without_shape(TINY)),
    "qwen2": lambda: transformers.Qwen2Config(**TINY),
    "olmo2": lambda: transformers.Olmo2Config(**TINY),
    "gpt_neox": lambda: transformers.GPTNeoXConfig(**TINY),
    "mixtral": lambda: transformers.MixtralConfig(**TINY, num_local_experts=4),
    "sliding": lambda: transformers.MistralConfig(**TINY, sliding_window=4),
    "hybrid": lambda: transformers.Gemma2Config(**TINY, head_dim=4, sliding_window=4),
    "alibi": lambda: transformers.BloomConfig(n_layer=2, n_head=4, **without_shape(TINY), hidden_size=16),
    "recurrent": lambda: transformers.MambaConfig(
        vocab_size=24, hidden_size=16, num_hidden_layers=2, state_size=4, eos_token_id=3
    ),
    "dynamic_rope": lambda: transformers.LlamaConfig(**TINY, rope_parameters=LONG_ROPE),
}
SHARING = ("llama", "gpt2", "qwen2", "olmo2", "gpt_neox", "mixtral")
"""Of the others some cannot be given tokens in another order than that of one text, or forget what they read."""


def without_shape(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: settings[name] for name in ("vocab_size", "initializer_range", "bos_token_id", "eos_token_id")}


@pytest.fixture(scope="module")
def networks() -> dict[str, Any]:
    made = {}
    for name, shape in SHAPES.items():
        torch.manual_seed(4)
        model = transformers.AutoModelForCausalLM.from_config(shape()).eval()
        model.generation_config = transformers.GenerationConfig(eos_token_id=3, pad_token_id=0)
        made[name] = model
    return made


def whole(model: Any, batch: int = 8) -> ForwardModel:
    """The same model, with every text read from its beginning."""
    network = ForwardModel(model, batch)
    network.shared = None
    return network


@contextmanager
def counted(model: Any) -> Iterator[list[int]]:
    """How many tokens each pass over the model reads."""
    passes: list[int] = []

    def count(module: Any, args: Any, kwargs: Any) -> None:
        passes.append(kwargs["input_ids"].numel())

    hook = model.register_forward_pre_hook(count, with_kwargs=True)
    try:
        yield passes
    finally:
        hook.remove()


def distinct(texts: Sequence[tuple[int, ...]]) -> int:
    """How many tokens there are when each beginning is counted once."""
    return len({text[:end] for text in texts for end in range(1, len(text) + 1)})


def rows_of(texts: Sequence[Sequence[int]]) -> list[ForwardRow]:
    """Each text is scored from its third quarter on, for two ends."""
    return [ForwardRow(tuple(ids), max(1, 3 * len(ids) // 4), (5, 6)) for ids in texts]


BEGINNING = (4, 9, 9, 12, 7)
TEXTS = [
    *((*BEGINNING, 8, 11, *end) for end in ((5, 6), (5, 6), (5, 7, 10, 13), (14,), (14, 5))),
    *((*BEGINNING, 15, *end) for end in ((8,), (8, 8, 8, 8, 8, 8, 8), (6, 7))),
    (4,),
    (20, 21, 22),
    BEGINNING,
]
small_tokens = st.lists(st.integers(4, 7), min_size=1, max_size=12).map(tuple)
beginnings = st.lists(st.integers(4, 7), max_size=9).map(tuple)
many_texts = st.builds(
    lambda first, ends: [(*first, *end) for end in ends], beginnings, st.lists(small_tokens, min_size=1, max_size=12)
)


@pytest.mark.parametrize("name", SHAPES)
def test_scores_are_those_of_texts_read_whole(name: str, networks: dict[str, Any]) -> None:
    rows = rows_of(TEXTS)
    together, alone = ForwardModel(networks[name], 4), whole(networks[name], 1)
    assert (together.shared is not None) == (name in SHARING)
    for _ in range(2):
        for mine, theirs in zip(together.score(rows), alone.score(rows), strict=True):
            assert mine == pytest.approx(theirs, abs=1e-4)


@pytest.mark.parametrize("name", SHAPES)
def test_texts_are_continued_as_if_each_stood_alone(name: str, networks: dict[str, Any]) -> None:
    prompts = [Prompt(ids, float(number % 2), number) for number, ids in enumerate(TEXTS)]
    together, alone = ForwardModel(networks[name], 4), whole(networks[name], 1)
    expected = [alone.write([prompt], 9)[0] for prompt in prompts]
    if name == "recurrent":  # it looks at its padding: only texts of one length are alike alone and together
        prompts, expected = prompts[:2], expected[:2]
    assert together.write(prompts, 9) == expected
    assert together.write(prompts[::-1], 9) == expected[::-1], "whatever was read before"


def test_what_texts_begin_with_alike_is_read_once(networks: dict[str, Any]) -> None:
    model = networks["llama"]
    network = ForwardModel(model, len(TEXTS))
    with counted(model) as passes:
        network.score(rows_of(TEXTS))
    assert passes == [distinct(TEXTS)]
    with counted(model) as passes:
        network.write([Prompt(ids, 0.0, 0) for ids in TEXTS], 1)
    assert passes[-1] == len(TEXTS), "the last token of each, which tells the first new one"
    assert sum(passes[:-1]) <= distinct(TEXTS)


def test_a_text_that_begins_as_the_last_one_did_goes_on_from_there(networks: dict[str, Any]) -> None:
    model = networks["llama"]
    network = ForwardModel(model, 1)
    with counted(model) as passes:
        network.score([ForwardRow((*BEGINNING, 8), 5, (5,))])
        network.score([ForwardRow((*BEGINNING, 9, 9), 5, (5,))])
        network.score([ForwardRow((*BEGINNING, 9, 9), 7, (5,))])
    assert passes == [6, 3, 1]


@given(texts=many_texts, batch=st.integers(1, 5), most=st.integers(1, 30))
@settings(deadline=None, max_examples=60)
def test_any_texts_in_any_packs_are_answered_as_alone(
    texts: list[tuple[int, ...]], batch: int, most: int, networks: dict[str, Any]
) -> None:
    model, rows = networks["llama"], rows_of(texts)
    network, alone = ForwardModel(model, batch), whole(networks["llama"], 1)
    assert network.shared
    network.shared.most_tokens = most
    with counted(model) as passes:
        scores = network.score(rows)
    for mine, theirs in zip(scores, alone.score(rows), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-4)
    longest = max(map(len, texts))
    assert all(tokens <= max(most, 2 * longest) for tokens in passes), "no pass is larger than memory was planned for"
    again = sum(len(row.ids) - row.start + 1 for row in rows)
    assert distinct(texts) <= sum(passes) <= distinct(texts) + again, "only what is asked about may be read again"


@given(texts=many_texts, batch=st.integers(1, 5))
@settings(deadline=None, max_examples=60)
def test_texts_of_which_nothing_is_asked_are_read_once_in_whatever_packs(
    texts: list[tuple[int, ...]], batch: int
) -> None:
    every = list(packs([Text(ids, len(ids)) for ids in texts], Branch((), ()), batch, MOST_TOKENS))
    assert sum(len(pack.ids) for pack in every) == distinct(texts)
    branches = {number: branch for pack in every for number, branch in pack.branches.items()}
    assert [branches[number].ids for number in range(len(texts))] == texts


def test_a_network_that_failed_takes_nothing_to_be_read(networks: dict[str, Any]) -> None:
    model, rows = networks["llama"], rows_of(TEXTS)
    network = ForwardModel(model, 2)
    network.score(rows)
    hook = model.model.layers[1].register_forward_pre_hook(lambda *_: (_ for _ in ()).throw(ZeroDivisionError))
    with pytest.raises(ZeroDivisionError):
        network.score(rows)
    hook.remove()
    for mine, theirs in zip(network.score(rows), whole(model, 1).score(rows), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-4)
