"""How likely a given text is as a model's answer, from what vLLM's server offers: `/tokenize`, `prompt_logprobs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.models.asking import Completion, Request
from plumbline.models.engines.budget import RequestCost
from plumbline.models.engines.sending import Sender
from plumbline.models.engines.wire import Malformed, estimate, first_choice, logprob, sendable, usage

Ids = tuple[int, ...]
ANYTHING = [{"role": "user", "content": "."}]


class Likelihood:
    """Scores texts as the embedded engine does: token by token after the prompt, the chat template applied once."""

    def __init__(self, sender: Sender, model: str) -> None:
        self.sender, self.model = sender, model
        self.tokenizer = sender.url.removesuffix("/v1") + "/tokenize"
        self._opening: Ids | None = None
        self._newline: Ids | None = None

    async def score(self, request: Request) -> Completion:
        prompt = await self._prompt(request)
        answer = await self._answer(request.scored or "")
        if not answer:
            return Completion("", prompt_tokens=len(prompt), completion_tokens=0, logprobs=(0.0,))
        # A server generates one token at least, which is not looked at.
        body = {"model": self.model, "prompt": [*prompt, *answer], "max_tokens": 1, "temperature": 0}
        read = reader(len(prompt), len(answer))
        url = f"{self.sender.url}/completions"
        return await self.sender.post(url, body | {"prompt_logprobs": 0}, estimate(request), read)

    async def _prompt(self, request: Request) -> Ids:
        """Token ids up to where the answer begins; without messages, of an answer to nothing."""
        if request.messages:
            turns = [{"role": message.role, "content": sendable(message.content)} for message in request.messages]
            return await self._ids(messages=turns, add_generation_prompt=True)
        if self._opening is None:
            closed = await self._ids(messages=ANYTHING, add_generation_prompt=False)
            opened = await self._ids(messages=ANYTHING, add_generation_prompt=True)
            begin = await self._ids(prompt="")
            self._opening = begin + (opened[len(closed) :] if opened[: len(closed)] == closed else ())
        return self._opening

    async def _answer(self, text: str) -> Ids:
        """Encoded after a newline, which is taken off again: some tokenizers put a space before what stands alone."""
        if self._newline is None:
            self._newline = await self._ids(prompt="\n", add_special_tokens=False)
        text = sendable(text)
        ids = await self._ids(prompt="\n" + text, add_special_tokens=False)
        if ids[: len(self._newline)] == self._newline:
            return ids[len(self._newline) :]
        return await self._ids(prompt=text, add_special_tokens=False)

    async def _ids(self, **what: Any) -> Ids:
        return await self.sender.post(self.tokenizer, {"model": self.model, **what}, RequestCost(1), read_ids)


def read_ids(data: Mapping[str, Any]) -> Ids:
    ids = data.get("tokens")
    if not isinstance(ids, list) or not all(isinstance(each, int) for each in ids):
        raise Malformed("it has no token ids")
    return tuple(ids)


def reader(prompt: int, answer: int) -> Any:
    """Sums the log-probabilities of the last tokens of what was read."""

    def read(data: Mapping[str, Any]) -> Completion:
        logprobs = first_choice(data).get("prompt_logprobs")
        if not isinstance(logprobs, Sequence) or len(logprobs) != prompt + answer:
            raise Malformed("it has no prompt_logprobs for every token")
        try:
            total = sum(logprob(next(iter(each.values()))["logprob"]) for each in logprobs[-answer:])
        except (AttributeError, KeyError, StopIteration, TypeError, ValueError) as error:
            raise Malformed("its prompt_logprobs are of an unknown shape") from error
        counted = usage(data)[0] or prompt + answer
        return Completion("", prompt_tokens=counted - answer, completion_tokens=answer, logprobs=(total,))

    return read
