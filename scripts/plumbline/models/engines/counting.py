"""How many tokens a request takes, counted as its model would read it, before the weights are loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from plumbline.models.asking import Request
from plumbline.models.engines.chat import Chat
from plumbline.models.engines.convert import convert
from plumbline.models.engines.libraries import missing_libraries
from plumbline.models.engines.reading import job_of
from plumbline.models.engines.weights import TextModel, Weights
from plumbline.records.errors import PlumblineError
from plumbline.records.files import read_json

KEPT = 4096
"""Of so many requests it is remembered how long they are: the draws of one prompt follow one another."""
FRAME = 512
"""What a chat template may add to the bytes of a prompt, generously."""


Lengths = Callable[[Any], Callable[[Request], int]]
"""Given a tokenizer, what counts the tokens of a request and the longest answer that it may get."""


def of_chats(tokenizer: Any, template: str = "") -> Callable[[Request], int]:
    """As a chat model reads them."""
    chat = Chat(tokenizer, template)
    return lambda request: job_of(request, chat).length


class TokenCounter:
    """Counts with a model's own tokenizer."""

    def __init__(self, weights: Weights, folder: Path, model: TextModel, lengths: Lengths = of_chats) -> None:
        self.weights, self.folder, self.model, self.lengths = weights, folder, model, lengths
        self._counted = lru_cache(KEPT)(lambda request: self._length(request))

    @property
    def at_hand(self) -> bool:
        """Whether the tokenizer lies there already: weights in a GGUF file are unpacked by the first job."""
        return self.folder.is_dir()

    @cached_property
    def limit(self) -> int:
        """The most tokens of a prompt with its answer: as the model's file says, or fewer if it was built for fewer."""
        try:
            built = read_json(self.folder / "config.json")
        except PlumblineError:
            return self.model.context
        longest = built.get("text_config", built).get("max_position_embeddings")
        return min(self.model.context, longest or self.model.context)

    def fits(self, request: Request) -> bool:
        """No token is shorter than a byte, so that most prompts need not be cut into tokens to be sure of it."""
        texts = [*(message.content for message in request.messages), *request.choices, request.scored or ""]
        most = sum(len(text.encode("utf-8", "replace")) for text in texts) + FRAME + request.max_tokens
        return most <= self.limit or self.tokens(request) <= self.limit

    def tokens(self, request: Request) -> int:
        """Of the prompt and the longest answer that it may get."""
        return self._counted(replace(request, sample=0, temperature=0.0))

    @cached_property
    def _length(self) -> Callable[[Request], int]:
        try:
            from transformers import AutoTokenizer
        except ImportError as error:
            raise missing_libraries(error) from error

        convert(self.weights, self.folder)
        trusted = self.model.trust_remote_code
        return self.lengths(AutoTokenizer.from_pretrained(self.folder, trust_remote_code=trusted))
