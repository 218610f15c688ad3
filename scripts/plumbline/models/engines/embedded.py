"""A model on this machine: weights from a package, a folder or the hub, run by transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from plumbline.config.engine import Choosing, EngineSettings
from plumbline.config.typed import Positive
from plumbline.models.asking import Completion, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines.chat import Chat
from plumbline.models.engines.counting import of_chats
from plumbline.models.engines.local import BatchedReading, LocalEngine
from plumbline.models.engines.reading import TokenRequest, answer_all, batches, job_of
from plumbline.models.engines.weights import LanguageModel, embedded_format
from plumbline.models.kinds import engine
from plumbline.models.noise import of_likelihoods

if TYPE_CHECKING:
    from plumbline.models.engines.forward import ForwardModel


@dataclass(frozen=True)
class Settings(BatchedReading, EngineSettings):
    """Nothing that changes an answer."""

    batch: Positive = 32
    """How many texts are read at a time, fewer where they are long."""

    @property
    def choosing(self) -> Choosing:
        return "log-probability"


@dataclass(frozen=True)
class LoadedModel:
    """What is in memory once the first answer is needed."""

    network: ForwardModel
    chat: Chat


class EmbeddedEngine(LocalEngine[TokenRequest, LoadedModel]):
    """A causal language model; of requests that wait together it reads what they begin with alike once."""

    def __init__(self, model: LanguageModel, settings: Settings, threads: int, cache: Path) -> None:
        super().__init__(model, settings, threads, cache, {}, model.chat_template)
        self.context = model.context
        self.template = model.chat_template
        self.count_with(model, partial(of_chats, template=self.template))

    def jobs(self, requests: Sequence[Request]) -> list[TokenRequest]:
        chat = self.ready().chat
        return [job_of(request, chat) for request in requests]

    def batches(self, jobs: Sequence[TokenRequest]) -> list[list[TokenRequest]]:
        return batches(jobs, self.batch, self.ready().network.shared is not None)

    def read(self, batch: Sequence[TokenRequest]) -> list[Completion]:
        ready = self.ready()
        return answer_all(batch, ready.network, ready.chat, self.context)

    def load(self) -> LoadedModel:
        from plumbline.models.engines.forward import ForwardModel, load

        model, tokenizer = load(self.folder, self.dtype, self.trusted)
        return LoadedModel(ForwardModel(model, self.batch), Chat(tokenizer, self.template))


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
