"""Any OpenAI-compatible server: OpenAI's own, vLLM's, llama.cpp's, Text Generation Inference."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plumbline.models.asking import CallPlace, Completion, EngineStopped, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines.budget import ledger_of
from plumbline.models.engines.endpoint_settings import EndpointModel, Settings
from plumbline.models.engines.likelihood import Likelihood
from plumbline.models.engines.plain import PLAIN
from plumbline.models.engines.sending import Refused, Sender
from plumbline.models.engines.wire import FILTERED, TOO_LONG, chat_body, check_name, estimate, read_chat
from plumbline.models.engines.wire_plain import completion_body, read_completion
from plumbline.models.kinds import engine
from plumbline.models.noise import UNKNOWN, of_likelihoods
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log

OURS = ("model", "messages", "prompt", "stream", "n")
"""Fields of a request that a model's file cannot set."""


class EndpointEngine:
    """Sends each ask to a server, so many at a time. Neither server nor key is needed before the first ask."""

    stored = True

    def __init__(self, model: EndpointModel, settings: Settings, ledger: Path) -> None:
        check(model, settings)
        self.model, self.settings = model, settings
        self.sender = Sender(model, settings, ledger)
        self.likelihood = Likelihood(self.sender, model)
        self.identity: Mapping[str, Any] = identity(model, settings)
        self._answered_as = ""
        self._stopped: EngineStopped | None = None
        self._without_tokens: set[str] = set()
        self._free = asyncio.Semaphore(settings.connections)

    async def answer(self, request: Request, place: CallPlace) -> Completion:
        async with self._free:
            if self._stopped:  # while this ask waited for its turn
                raise self._stopped.with_traceback(None)
            try:
                return await (self._write(request) if request.scored is None else self._score(request))
            except Refused as refusal:
                return unanswerable(refusal, self.sender.url)
            except EngineStopped as error:
                self._stopped = error
                raise

    async def close(self) -> None:
        await self.sender.close()

    async def _write(self, request: Request) -> Completion:
        base = self.model.base

        def read(data: Mapping[str, Any]) -> Completion:
            completion = read_completion(data, request) if base else read_chat(data, request)
            self._answered_as = check_name(data, self.model.repository, self._answered_as)
            return completion

        self._warn_of_unknown_tokens(request)
        body = (completion_body if base else chat_body)(request, self.model, self.settings.choose)
        url = f"{self.sender.url}/{'completions' if base else 'chat/completions'}"
        completion = await self.sender.post(url, body, estimate(request), read)
        if self.settings.choose == "structured" and request.choices and completion.finish == "stop":
            check_bound(completion, request)
        return completion

    def _warn_of_unknown_tokens(self, request: Request) -> None:
        """Log once of each text that the bias is left out for, since only the server knows its tokens."""
        unknown = {each.text for each in request.bias if not each.ids} - self._without_tokens
        if unknown:
            self._without_tokens |= unknown
            texts = ", ".join(map(repr, sorted(unknown)))
            log.warning(
                "%s is asked without the logit bias on %s: its file has no `token_ids` for them",
                self.model.repository,
                texts,
            )

    async def _score(self, request: Request) -> Completion:
        if not self.settings.likelihoods:
            raise EngineStopped(
                "this endpoint does not tell how likely a given text is",
                where="likelihoods in the engine's file",
                do="judge by likelihood with another engine; or if it is vLLM's server, set `likelihoods: true`",
            )
        return await self.likelihood.score(request)


def identity(model: EndpointModel, settings: Settings) -> dict[str, Any]:
    """What decides the answers: the server, the model's name there, and how it is asked."""
    asked = {"choose": settings.choose} if settings.choose != "text" else {}
    return (
        {"endpoint": model.url.rstrip("/"), "model": model.repository}
        | asked
        | ({"body": model.body} if model.body else {})
        | ({"template": PLAIN} if model.base else {})
    )


def check(model: EndpointModel, settings: Settings) -> None:
    where = "the model's file"
    if not model.repository:
        raise PlumblineError(
            "a model behind an endpoint has no name", where=where, do="set `repository` to the server's name for it"
        )
    for field in OURS:
        if field in model.body:
            raise PlumblineError(f"the field {field!r} of a request cannot be set", where=f"{where}: body")
    if settings.budget.money and not model.priced:
        raise PlumblineError(
            "the budget is in money, and the model has no price", where=where, do="set prompt_price, completion_price"
        )


def unanswerable(refusal: Refused, url: str) -> Completion:
    """A prompt that does not fit, or that the server's filter stops, has an answer: that there is none."""
    if TOO_LONG.search(refusal.says) or refusal.status == 413:
        return Completion("", "context")
    if FILTERED.search(refusal.says):
        return Completion("", "content_filter")
    raise PlumblineError(
        f"the server refuses a request ({refusal.status})",
        where=url,
        found=refusal.says,
        do="if it names a field, set or remove that (null) under `body` in the model's file",
    ) from None


def check_bound(completion: Completion, request: Request) -> None:
    """A server that does not know `structured_outputs` ignores it without a word."""
    if completion.text.strip() not in request.choices:
        raise EngineStopped(
            "the server does not bind its answers to the choices",
            where="choose: structured in the engine's file",
            expected=" or ".join(map(repr, request.choices)),
            found=repr(completion.text)[:100],
            do="set `choose: logprobs` or `choose: text`, or take a server that knows `structured_outputs`",
        )


def noise(model: EndpointModel) -> float:
    """Nobody knows in what format a server computes."""
    return of_likelihoods(UNKNOWN)


@engine(settings=Settings, model=EndpointModel, noise=noise)
def open_engine(model: EndpointModel, settings: Settings, context: EngineContext) -> EndpointEngine:
    return EndpointEngine(model, settings, ledger_of(model))
