"""A model on this machine: weights from a package, a folder or the hub, run by transformers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.config.engine import Choosing, EngineSettings
from plumbline.config.parts import Speed
from plumbline.config.typed import Count, Positive
from plumbline.models.asking import Completion, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines.batching import BatchingEngine
from plumbline.models.engines.chat import Chat
from plumbline.models.engines.convert import convert, folder_of, template_digest
from plumbline.models.engines.counting import TokenCounter
from plumbline.models.engines.reading import TokenRequest, answer_all, batches, job_of
from plumbline.models.engines.weights import (
    LanguageModel,
    digest_of_weights,
    embedded_format,
    identity_of,
    locate,
    missing_libraries,
)
from plumbline.models.kinds import engine
from plumbline.models.noise import of_likelihoods

if TYPE_CHECKING:
    from plumbline.models.engines.forward import ForwardModel


@dataclass(frozen=True)
class EmbeddedReading(Speed):
    """How prompts are read."""

    batch: Positive = 8
    """How many prompts are read at a time."""
    threads: Count = 0
    """CPU threads (0: as many as the job was given)."""


@dataclass(frozen=True)
class Settings(EmbeddedReading, EngineSettings):
    """Nothing that changes an answer."""

    @property
    def choosing(self) -> Choosing:
        return "log-probability"


@dataclass(frozen=True)
class LoadedModel:
    """What is in memory once the first answer is needed."""

    network: ForwardModel
    chat: Chat


class EmbeddedEngine(BatchingEngine[TokenRequest]):
    """A causal language model; requests that wait together are read in batches of like length.

    Nothing heavy is imported or loaded before the first answer is needed.
    """

    def __init__(self, model: LanguageModel, settings: Settings, threads: int, cache: Path) -> None:
        super().__init__()
        self.model = model
        self.batch = settings.batch
        self.threads = settings.threads or threads
        self.weights = locate(model)
        self.dtype = embedded_format(model.dtype)
        digest = digest_of_weights(self.weights, cache)
        self.folder = folder_of(self.weights, digest, cache)
        template = template_digest(self.weights, self.folder)
        self.identity: Mapping[str, Any] = identity_of(self.weights, self.dtype, digest, template)
        self.counter = TokenCounter(self.weights, self.folder, model)
        self._loaded: LoadedModel | None = None

    def jobs(self, requests: Sequence[Request]) -> list[TokenRequest]:
        chat = self._ready().chat
        return [job_of(request, chat) for request in requests]

    def batches(self, jobs: Sequence[TokenRequest]) -> list[list[TokenRequest]]:
        return batches(jobs, self.batch)

    def read(self, batch: Sequence[TokenRequest]) -> list[Completion]:
        ready = self._ready()
        return answer_all(batch, ready.network, ready.chat, self.model.context)

    def unload(self) -> None:
        self._loaded = None

    def _ready(self) -> LoadedModel:
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    def _load(self) -> LoadedModel:
        try:
            import torch

            from plumbline.models.engines.forward import ForwardModel, load
        except ImportError as error:
            raise missing_libraries(error) from error

        if self.threads:
            torch.set_num_threads(self.threads)
        convert(self.weights, self.folder)
        model, tokenizer = load(self.folder, self.dtype, self.model.trust_remote_code)
        return LoadedModel(ForwardModel(model, self.batch), Chat(tokenizer))


def noise(model: LanguageModel) -> float:
    return of_likelihoods(embedded_format(model.dtype))


@engine(
    settings=Settings,
    model=LanguageModel,
    noise=noise,
    environment="embedded",
    packages=("torch", "transformers"),
    tokenizer=True,
)
def open_engine(model: LanguageModel, settings: Settings, context: EngineContext) -> EmbeddedEngine:
    return EmbeddedEngine(model, settings, context.threads, context.cache)
