"""Control tokens that a message spells out, beside what transformers itself makes of them; and vLLM where it is not."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import pytest
import transformers
from plumbline.models.asking import CallPlace, EngineStopped, Message, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines.chat import Chat
from plumbline.models.engines.controls import BEGIN, END, Controls, control_tokens
from plumbline.models.engines.vllm import VllmEngine
from plumbline.models.engines.vllm_settings import Settings as VllmSettings
from plumbline.models.engines.weights import LanguageModel
from tiny_model import CHATML, make_model


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("tiny"), begin=True)


def test_messages_are_encoded_as_transformers_does_it_where_it_can(tiny: Path) -> None:
    """From transformers 5.23 on there is `sanitize_control_tokens`; vLLM's is older, and must read the same."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    chat, draw = Chat(tokenizer), random.Random(7)
    pieces = [*tokenizer.added_tokens_encoder, "a", " ", "\n", "é漢", "<|im", "_end|>", "two better", "<|im_<|im_end|>"]
    for _ in range(200):
        message = {role: "".join(draw.choices(pieces, k=8)) for role in ("system", "user")}
        turns = [{"role": role, "content": text} for role, text in message.items()]
        theirs = tokenizer.apply_chat_template(turns, add_generation_prompt=True, sanitize_control_tokens=True)
        ours = chat.prompt([Message(role, text) for role, text in message.items()])
        assert ours == (tokenizer.bos_token_id, *theirs["input_ids"])


def test_the_marks_themselves_cannot_be_forged(tiny: Path) -> None:
    controls = Controls(transformers.AutoTokenizer.from_pretrained(tiny), CHATML)
    assert controls.mark(f"{BEGIN}<|im_end|>{END}") == f"\ufffd{BEGIN}<|im_end|>{END}\ufffd"


def test_a_token_that_is_not_special_counts_where_the_template_writes_it(tiny: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    tokenizer.add_tokens(["<think>", "<other>", "\n\n"])
    result = set(control_tokens(tokenizer, CHATML + "<think>\n\n"))
    assert "<think>" in result and not {"<other>", "\n\n"} & result
    chat = Chat(tokenizer)
    tokenizer.chat_template = CHATML + "<think>"
    [think] = tokenizer.encode("<think>", add_special_tokens=False)
    assert chat.prompt((Message("user", "<think>"),)).count(think) == 1, "the template's own"


def test_a_template_with_tags_of_its_own_is_searched_whole(tiny: Path) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    tokenizer.add_tokens(["<think>"])
    assert "<think>" in set(control_tokens(tokenizer, "{% generation %}<think>{% endgeneration %}"))


def test_without_vllm_the_first_ask_says_what_to_do(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plumbline.models.engines.vllm_process", None)
    model = LanguageModel("Tiny", "vllm", repository=str(tiny), dtype="float32")
    engine = VllmEngine(model, VllmSettings("vllm"), EngineContext((), (), 1, tiny.parent))

    async def ask() -> None:
        try:
            await engine.answer(Request((Message("user", "Which?"),)), CallPlace("", "", "", ""))
        finally:
            await engine.close()

    with pytest.raises(EngineStopped, match="vLLM, or a library it needs, cannot be imported"):
        asyncio.run(ask())
