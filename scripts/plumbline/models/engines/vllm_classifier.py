"""A reward model on this machine's GPUs, served by vLLM's pooling runner: the scores of `classifier`, faster.

Only networks for which that was measured are served (`tests/vllm/test_classifier.py`: within 0.001 in float32).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from plumbline.models.asking import CallPlace, Completion, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines import classifier
from plumbline.models.engines.classifier import ClassifierModel, score_of
from plumbline.models.engines.convert import convert, folder_of, template_digest
from plumbline.models.engines.vllm import not_installed, numerics
from plumbline.models.engines.vllm_settings import Settings
from plumbline.models.engines.vllm_started import StartedOnce
from plumbline.models.engines.weights import digest_of_weights, identity_of, locate, number_format
from plumbline.models.kinds import engine
from plumbline.models.noise import of_scores
from plumbline.models.scores import Scoring
from plumbline.records.errors import PlumblineError
from plumbline.records.files import read_json

if TYPE_CHECKING:
    from plumbline.models.engines.vllm_pooling import Pooling

SERVED = ("LlamaForSequenceClassification", "Qwen2ForSequenceClassification", "Qwen3ForSequenceClassification")
"""Networks to which vLLM gives the scores that transformers gives them."""


class VllmClassifierEngine(StartedOnce["Pooling"]):
    """A network with a head that vLLM serves."""

    stored = True

    def __init__(self, model: ClassifierModel, settings: Settings, context: EngineContext) -> None:
        super().__init__()
        self.model, self.settings = model, settings
        self.weights = locate(model)
        refuse_unmeasured(model, read_json(self.weights.folder / "config.json"))
        self.dtype = number_format(model.dtype)
        digest = digest_of_weights(self.weights, context.cache)
        self.folder = folder_of(self.weights, digest, context.cache)
        template = template_digest(self.weights, self.folder)
        self.format = model.format.with_text(self.weights.folder)
        own = {"scored_label": model.scored_label, "pad_token": model.pad_token, **model.reading, **numerics(settings)}
        self.identity: Mapping[str, Any] = identity_of(self.weights, self.dtype, digest, template) | own
        self._numbers = itertools.count()

    async def answer(self, request: Request, place: CallPlace) -> Completion:
        running = await self.running()
        read = running.reader.read(Scoring.of(request))
        if read is None:
            return Completion("", "context")
        return score_of(await running.logits(read.ids, next(self._numbers)), running.label, read)

    def start(self) -> Pooling:
        try:
            from plumbline.models.engines.vllm_pooling import start
        except ImportError as error:
            raise not_installed(error) from error

        convert(self.weights, self.folder)
        return start(self.folder, self.dtype, self.format, self.model, self.settings)


def refuse_unmeasured(model: ClassifierModel, config: Mapping[str, Any]) -> None:
    """Only what is known to get the same scores is served; all else the engine `classifier` runs."""
    names = config.get("architectures") or ["none"]
    own_code = "AutoModelForSequenceClassification" in config.get("auto_map", {})
    if own_code or model.format.segment or not set(names) <= set(SERVED):
        raise PlumblineError(
            f"vLLM is not known to give the scores of {model.label!r} that transformers gives",
            where="engine of the model",
            expected=f"a network of one text: {' or '.join(SERVED)}",
            found="code of its own" if own_code else "two segments" if model.format.segment else ", ".join(names),
            do="set `engine: classifier`, which runs it in transformers, on a GPU too",
        )


def noise(model: ClassifierModel) -> float:
    return of_scores(model.dtype)


@engine(
    settings=Settings,
    model=ClassifierModel,
    check=classifier.check,
    noise=noise,
    answers=("scores",),
    environment="vllm",
    packages=("vllm", "torch", "transformers"),
)
def open_engine(model: ClassifierModel, settings: Settings, context: EngineContext) -> VllmClassifierEngine:
    return VllmClassifierEngine(model, settings, context)
