"""An encoder on this machine: it says how similar two texts are, and answers nothing in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline.config.engine import EngineSettings
from plumbline.config.model import Model
from plumbline.config.parts import Speed
from plumbline.config.typed import Count, Positive
from plumbline.models.asking import Completion, Request
from plumbline.models.engines.encoders import LAYOUT, PLAIN, check_states, identity_of, loaded, locate
from plumbline.models.engines.waves import WaveEngine
from plumbline.models.engines.weights import embedded_format, missing_libraries
from plumbline.models.kinds import engine
from plumbline.models.session import EngineContext
from plumbline.models.similarity import Comparison, completed
from plumbline.records.joblog import log

if TYPE_CHECKING:
    from plumbline.models.engines.encoding import Encoder


TOGETHER = 16
"""So many batches of comparisons are answered at a time: with more texts to choose from, those of like length are read
side by side, and a killed run still loses no more than some seconds of work."""


@dataclass(frozen=True)
class Reads(Speed):
    """How texts are read."""

    batch: Positive = 16
    """How many texts are read at a time."""
    threads: Count = 0
    """CPU threads (0: as many as the job was given)."""


@dataclass(frozen=True)
class Settings(Reads, EngineSettings):
    """Nothing that changes an answer."""


class EncoderEngine(WaveEngine[Comparison]):
    """Compares texts in batches; nothing heavy is imported or loaded before the first comparison."""

    def __init__(self, model: Model, settings: Settings, threads: int) -> None:
        super().__init__()
        self.model = model
        self.batch = settings.batch
        self.threads = settings.threads or threads
        self.weights = locate(model, (LAYOUT, PLAIN))
        self.dtype = embedded_format(model.dtype)
        self.identity: Mapping[str, Any] = identity_of(self.weights, self.dtype) | {"layer": model.layer}
        self._encoder: Encoder | None = None
        self._lengths: dict[str, int] = {}

    def jobs(self, requests: Sequence[Request]) -> list[Comparison]:
        return [Comparison.of(request) for request in requests]

    def batches(self, jobs: Sequence[Comparison]) -> list[list[Comparison]]:
        """Comparisons of one kind, those with the same text to compare with side by side."""
        ordered = sorted(jobs, key=lambda each: (each.by, each.reference, each.text))
        found: list[list[Comparison]] = []
        for job in ordered:
            if found and len(found[-1]) < self.batch * TOGETHER and found[-1][0].by == job.by:
                found[-1].append(job)
            else:
                found.append([job])
        return found

    def read(self, batch: Sequence[Comparison]) -> list[Completion]:
        encoder = self._ready()
        values = encoder.similarities(batch, batch[0].by)
        return [self._completed(each, value, encoder) for each, value in zip(batch, values, strict=True)]

    def unload(self) -> None:
        if self._encoder is not None:
            limit = self._encoder.longest
            cut = sum(length > limit for length in self._lengths.values())
            if cut:
                texts = len(self._lengths)
                log.warning("%d of %d texts are longer than the %d tokens the model reads", cut, texts, limit)
        self._encoder = None

    def _completed(self, compared: Comparison, value: float, encoder: Encoder) -> Completion:
        lengths = [self._length(text, encoder) for text in (compared.text, compared.reference)]
        return completed(value, sum(lengths), cut=max(lengths) > encoder.longest)

    def _length(self, text: str, encoder: Encoder) -> int:
        if text not in self._lengths:
            self._lengths[text] = encoder.tokens(text)
        return self._lengths[text]

    def _ready(self) -> Encoder:
        if self._encoder is None:
            self._encoder = self._load()
        return self._encoder

    def _load(self) -> Encoder:
        try:
            import torch

            from plumbline.models.engines.encoding import Encoder
        except ImportError as error:
            raise missing_libraries(error) from error

        if self.threads:
            torch.set_num_threads(self.threads)
        model = loaded(self.weights.folder, self.dtype)
        check_states(self.weights.folder, model[0].auto_model)
        return Encoder(model, self.model.layer, self.batch)


@engine(settings=Settings, environment="embedded")
def open_engine(model: Model, settings: Settings, context: EngineContext) -> EncoderEngine:
    return EncoderEngine(model, settings, context.threads)
