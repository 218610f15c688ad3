"""One call to a model: what is asked, what comes back, and where in a protocol it happens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from plumbline.records.errors import PlumblineError
from plumbline.records.files import canonical, digest_bytes, digest_value

SEED_BITS = 60
"""Bits of a request's seed: as many as every generator of random numbers takes."""
CHARACTERS = 4
"""Characters to a token, where nobody has counted: about right for English, too few tokens for other scripts."""


FAILED = "failed"
"""How an answer ended that there is not, as whoever was asked failed. It is not kept: the next job asks again."""
UNANSWERED, AMBIGUOUS = "unanswered", "ambiguous"
"""The same where answers were written elsewhere, and none is there, or two are."""


@dataclass(frozen=True)
class Message:
    role: str
    content: str


@dataclass(frozen=True)
class TokenBias:
    """What is added to the logits of a text's tokens."""

    text: str
    added: float
    ids: tuple[int, ...] = ()
    """Its tokens, where the model's file has them; an engine that has the model's tokenizer looks them up itself."""


@dataclass(frozen=True)
class Request:
    """Everything that decides an answer besides the model itself."""

    messages: tuple[Message, ...]
    max_tokens: int = 50
    temperature: float = 0.0
    """0: the likeliest answer; above, answers are drawn at random by `seed`."""
    choices: tuple[str, ...] = ()
    """Answer with one of these, and report the log-probability of each."""
    scored: str | None = None
    """Generate nothing: report the log-probability of this text as the answer."""
    sample: int = 0
    """Number of the sample, where the same prompt is asked several times."""
    bias: tuple[TokenBias, ...] = ()
    """What is made likelier or less likely in a free text."""

    def __post_init__(self) -> None:
        if self.scored is not None and self.temperature:
            raise PlumblineError(
                "a text that is scored is not drawn at random, so it has no temperature",
                where="temperature of a request",
                expected="0",
                found=f"{self.temperature:g}",
            )

    @cached_property
    def written(self) -> str:
        """The messages as they are written down in transcripts."""
        return canonical([[message.role, message.content] for message in self.messages])

    @cached_property
    def bias_written(self) -> str:
        """The bias as it is written down in transcripts; empty where there is none."""
        return canonical([[each.text, each.added, each.ids] for each in self.bias]) if self.bias else ""

    @cached_property
    def key(self) -> str:
        """Digest of the request alone; the store joins it with the model's identity."""
        settings = [self.max_tokens, self.temperature, self.choices, self.scored, self.sample]
        bias = f"\n{self.bias_written}" if self.bias else ""
        return digest_bytes(f"{self.written}\n{canonical(settings)}{bias}".encode("ascii"))

    @property
    def seed(self) -> int:
        """Decides what is drawn: it depends on the request and its sample number alone, never on what else is asked."""
        return int(self.key[: SEED_BITS // 4], 16)


def bias_of(written: str) -> tuple[TokenBias, ...]:
    """A bias as it was written down."""
    return tuple(TokenBias(text, added, tuple(ids)) for text, added, ids in json.loads(written or "[]"))


@dataclass(frozen=True)
class Completion:
    """What came back."""

    text: str
    finish: str = "stop"
    """Why it ended: stop, length, content_filter, context (the prompt did not fit), failed, or as an engine says."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    logprobs: tuple[float, ...] = ()
    """For choices: the log-probability of each; for a scored text: that of the whole text."""

    @property
    def gap(self) -> float | None:
        """How much likelier the best choice was than the next, in nats; none where there was no choice."""
        best = sorted(self.logprobs, reverse=True)[:2]
        return best[0] - best[1] if len(best) == 2 else None


@dataclass(frozen=True)
class CallPlace:
    """Where in a protocol a call happens. Engines that replay look answers up by it."""

    instance: str
    protocol: str
    step: str
    showing: str
    """Which outputs are shown, in which order: see `data/verdicts.py`."""
    sample: int = 0


class EngineStopped(PlumblineError):
    """A failure that every further ask would meet too: nothing new is asked, and what is under way may end."""


class Engine(Protocol):
    """Answers requests. Concurrency is the caller's: many `answer` calls are awaited at once."""

    identity: Mapping[str, Any]
    """What makes the answers this model's: repository, commit, digests. Part of every store key."""
    stored: bool
    """Whether answers go through the completion store (not where they are looked up by place)."""

    async def answer(self, request: Request, place: CallPlace) -> Completion: ...

    async def close(self) -> None: ...


class Counts(Protocol):
    """Counts the tokens of requests as one model reads them."""

    @property
    def at_hand(self) -> bool:
        """Whether it can count now, before anything is unpacked."""
        ...

    @property
    def limit(self) -> int:
        """The most tokens of a prompt with its answer."""
        ...

    def fits(self, request: Request) -> bool: ...

    def tokens(self, request: Request) -> int: ...


@runtime_checkable
class Counting(Protocol):
    """An engine that knows its model's tokenizer."""

    counter: Counts


def completion_key(identity: Mapping[str, Any], request: Request) -> str:
    """The store's key: the same prompt with other weights is another key."""
    return digest_value([dict(identity), request.key])
