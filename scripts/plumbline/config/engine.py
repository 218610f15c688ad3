"""Engines: what answers asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from plumbline.config.typed import Amount, Count, Positive, Seconds, Share


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
class Serving:
    """How vLLM runs a model. It decides how fast, and in the last digits what, but not which model answers."""

    tensor_parallel: Count = 0
    """GPUs that share one copy of the model (0: all that the job sees, divided by `data_parallel`)."""
    data_parallel: Positive = 1
    """Copies of the model, each on GPUs of its own; all prompts of an instance go to one of them."""
    memory: Share = 0.85
    """Share of each GPU's memory that vLLM takes for weights and cache."""
    prefix_cache: bool = True
    """Read the beginning that prompts share only once."""
    eager: bool = False
    """Skip compilation and CUDA graphs: ready sooner, slower afterwards."""


@dataclass(frozen=True)
class EngineSettings:
    """What answers asks."""

    kind: Literal["recorded", "recorded_rows", "embedded", "vllm", "endpoint", "scripted", "none"]
    """What it is: completions in LLMBar's layout, a file with a row for each recorded verdict or completion, a small
    model or vLLM on this machine, a server, a script, or none."""
    window: Positive = 256
    """How many instances are in flight at a time."""
    batch: Positive = 8
    """How many prompts an embedded model reads at a time; with vLLM, at most how many."""
    threads: Count = 0
    """CPU threads for an embedded model (0: as many as the job was given)."""
    connections: Positive = 32
    """How many requests are under way to an endpoint at a time."""
    timeout: Seconds = 120.0
    """Seconds that an endpoint has for one request, before it is asked again."""
    patience: Seconds = 900.0
    """Seconds after which an ask and its repetitions are given up; a server that demands a longer wait ends the job."""
    requests_per_minute: Count = 0
    """Requests sent to an endpoint in a minute (0: what its own rate-limit headers allow)."""
    tokens_per_minute: Count = 0
    """Tokens sent to and allowed from an endpoint in a minute (0: what its own rate-limit headers allow)."""
    budget: Budget = field(default_factory=Budget)
    """What a run may spend on each model at an endpoint."""
    serving: Serving = field(default_factory=Serving)
    """How vLLM runs a model."""
    quantisation: str = ""
    """Format to which vLLM shrinks the weights while it loads them, e.g. `fp8` (empty: as they are)."""
    batch_invariant: bool = False
    """Let vLLM answer a prompt alike whatever is read beside it; somewhat slower, and not for every model and GPU."""
    choose: Literal["text", "logprobs", "structured"] = "text"
    """Answers to a choice: plain text; text with `top_logprobs`; or bound to the choices (`structured_outputs`)."""
    likelihoods: bool = False
    """Whether the endpoint tells how likely a given text is, as vLLM does (`/tokenize` and `prompt_logprobs`)."""
    answers: dict[str, list[str]] = field(default_factory=dict)
    """For a scripted engine: the answers to each step, given in turn by a hash of the prompt."""
    delay: Amount = 0.0
    """For a scripted engine: seconds each answer takes."""
    journal: str = ""
    """For a scripted engine: a file that gets a line for each ask, to count them across runs that were killed."""
    folders: dict[str, str] = field(default_factory=dict)
    """For completions in LLMBar's layout: the source's folder name of each protocol."""
