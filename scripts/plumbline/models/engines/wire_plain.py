"""What is written to an OpenAI-compatible server about a base model (`/v1/completions`), and what its answer says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plumbline.models.asking import Completion, Request
from plumbline.models.engines.endpoint_settings import EndpointModel
from plumbline.models.engines.plain import joined
from plumbline.models.engines.wire import (
    ALTERNATIVES,
    Malformed,
    Token,
    choice_logprobs,
    finish_of,
    first_choice,
    logprob,
    sampling,
    sendable,
    usage,
)


def completion_body(request: Request, model: EndpointModel, choose: str) -> dict[str, Any]:
    prompt = joined(request.messages)
    body = {"model": model.repository, "prompt": sendable(prompt.text), **sampling(request)}
    if request.choices and choose != "text":
        body["logprobs"] = ALTERNATIVES
    if request.choices and choose == "structured":
        body["structured_outputs"] = {"choice": [prompt.before + choice for choice in request.choices]}
    return {name: value for name, value in (body | model.body).items() if value is not None}


def read_completion(data: Mapping[str, Any], request: Request) -> Completion:
    """The completion in an answer; unwelcome text is text all the same."""
    choice = first_choice(data)
    text = choice.get("text")
    if not isinstance(text, str):
        raise Malformed("its choice has no text")
    return Completion(text, finish_of(choice), *usage(data), choice_logprobs(steps(choice), request.choices))


def steps(choice: Mapping[str, Any]) -> list[Token]:
    """The tokens of an answer, where the server tells them."""
    try:
        told = choice["logprobs"]
        written = zip(told["tokens"], told["token_logprobs"], told["top_logprobs"], strict=True)
        return [
            Token(token, logprob(own), tuple((other, logprob(value)) for other, value in others.items()))
            for token, own, others in written
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        return []
