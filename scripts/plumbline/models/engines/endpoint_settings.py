"""What a configuration may say of a server, and of what asking it may cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from plumbline.config.engine import Choosing, EngineSettings
from plumbline.config.parts import Cost, Speed
from plumbline.config.typed import Amount, Count, Positive, Seconds


@dataclass(frozen=True)
class Budget:
    """What one run may spend on a model at an endpoint; its jobs stop before they would exceed it (0: no limit)."""

    requests: Count = 0
    """Requests sent, repeated ones too."""
    tokens: Count = 0
    """Prompt and completion tokens together."""
    money: Amount = 0.0
    """Money, in the currency of the model's prices."""


@dataclass(frozen=True)
class Sending(Speed):
    """How requests are sent."""

    connections: Positive = 32
    """How many requests are under way at a time."""
    timeout: Seconds = 120.0
    """Seconds that the server has for one request, before it is asked again."""
    patience: Seconds = 900.0
    """Seconds after which an ask and its repetitions are given up; a server that demands a longer wait ends the job."""
    requests_per_minute: Count = 0
    """Requests sent in a minute (0: what the server's own rate-limit headers allow)."""
    tokens_per_minute: Count = 0
    """Tokens sent and allowed back in a minute (0: what the server's own rate-limit headers allow)."""


@dataclass(frozen=True)
class Spending(Cost):
    """What it may cost."""

    budget: Budget = field(default_factory=Budget)
    """What a run may spend on each model."""


@dataclass(frozen=True)
class Settings(Spending, Sending, EngineSettings):
    """How a server is asked."""

    choose: Literal["text", "logprobs", "structured"] = "text"
    """Answers to a choice: plain text; text with `top_logprobs`; or bound to the choices (`structured_outputs`)."""
    likelihoods: bool = False
    """Whether the server tells how likely a given text is, as vLLM does (`/tokenize` and `prompt_logprobs`)."""

    @property
    def choosing(self) -> Choosing:
        return "bound" if self.choose == "structured" else "text"
