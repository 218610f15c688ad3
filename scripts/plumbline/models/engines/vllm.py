"""A model on this machine's GPUs, run by vLLM inside the job: everything the job asks is answered in one load.

vLLM batches by itself whatever it has been asked so far, so each ask is handed on as soon as it comes. Prompts of one
instance begin alike: they share a turn, and a later one is read before those of instances that came after it, while
the prefix cache still holds what they share.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from plumbline.models.asking import CallPlace, Completion, EngineStopped, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines.convert import convert, folder_of, template_digest
from plumbline.models.engines.counting import TokenCounter, of_chats
from plumbline.models.engines.reading import TokenRequest, job_of, judged, own_rows, rows_of
from plumbline.models.engines.vllm_settings import Settings
from plumbline.models.engines.vllm_started import StartedOnce
from plumbline.models.engines.weights import LanguageModel, digest_of_weights, identity_of, locate, number_format
from plumbline.models.kinds import engine
from plumbline.models.noise import of_likelihoods

if TYPE_CHECKING:
    from plumbline.models.engines.forward import ForwardRow
    from plumbline.models.engines.vllm_process import Asynchronous

STEPS = 8
"""So many tokens that all choices begin with are walked over one by one; more are read as part of the prompt."""
TURNS = 100_000
"""Of so many instances it is remembered when they were begun; a later ask about one before comes last."""
AT_ONCE = 128
"""Tokens whose log-probabilities vLLM tells at one place."""


class VllmEngine(StartedOnce["Asynchronous"]):
    """A model that vLLM serves."""

    stored = True

    def __init__(self, model: LanguageModel, settings: Settings, context: EngineContext) -> None:
        super().__init__()
        self.model, self.settings = model, settings
        self.weights = locate(model)
        self.dtype = number_format(model.dtype)
        digest = digest_of_weights(self.weights, context.cache)
        self.folder = folder_of(self.weights, digest, context.cache)
        template = template_digest(self.weights, self.folder, model.chat_template)
        self.identity: Mapping[str, Any] = identity_of(self.weights, self.dtype, digest, template) | numerics(settings)
        lengths = partial(of_chats, template=model.chat_template)
        self.counter = TokenCounter(self.weights, self.folder, model, lengths)
        self._turns: dict[str, int] = {}
        self._begun = itertools.count()

    async def answer(self, request: Request, place: CallPlace) -> Completion:
        running = await self.running()
        job = job_of(request, running.chat)
        if job.length > running.limit:
            return Completion("", "context", prompt_tokens=len(job.prompt))
        turn = self._turn(place.instance)
        if job.kind[0] == "free":
            return await running.write(job, turn)
        return judged(job, await scored(job, running, turn))

    def _turn(self, instance: str) -> int:
        if instance not in self._turns:
            self._turns[instance] = next(self._begun)
            if len(self._turns) > TURNS:
                del self._turns[next(iter(self._turns))]
        return self._turns[instance]

    def start(self) -> Asynchronous:
        try:
            from plumbline.models.engines.vllm_process import start
        except ImportError as error:
            raise not_installed(error) from error

        convert(self.weights, self.folder)
        return start(self.folder, self.dtype, self.model, self.settings)


async def scored(job: TokenRequest, running: Asynchronous, turn: int) -> tuple[float, ...]:
    """The log-probability of each answer; an empty text is certain."""
    rows = rows_of(job)
    if job.request.choices and can_be_walked(rows):
        return await running.walk(rows[0], turn)
    totals = await asyncio.gather(*(running.read(row, turn) for row in own_rows(job)))
    return tuple(totals) or (0.0,)


def can_be_walked(rows: Sequence[ForwardRow]) -> bool:
    """Whether the choices differ in their last token only, after few that they share."""
    ids, start, last = rows[0].ids, rows[0].start, rows[0].ends
    return len(rows) == 1 and len(ids) - start <= STEPS and len({*ids[start:], *last}) <= AT_ONCE


def numerics(settings: Settings) -> dict[str, Any]:
    """What of the engine is part of a model's identity.

    Its name, since other software rounds otherwise, and what changes the numbers by design. Batch invariance promises
    equal answers to the last bit, for one number of GPUs, so that number counts where it is on. Otherwise neither that
    nor vLLM's version does: they move scores as little as the batch does, and an update need not cost a store of
    answers. Manifests record the version.
    """
    settings_used: dict[str, Any] = {"engine": "vllm"}
    if settings.quantisation:
        settings_used["quantisation"] = settings.quantisation
    if settings.batch_invariant:
        settings_used["batch_invariant"] = {"tensor_parallel": settings.serving.tensor_parallel}
    return settings_used


def not_installed(error: ImportError) -> EngineStopped:
    return EngineStopped(
        f"vLLM, or a library it needs, cannot be imported ({error})",
        do="run Snakemake with --software-deployment-method conda, or pip install -r envs/vllm.txt on a GPU node",
    )


def noise(model: LanguageModel) -> float:
    return of_likelihoods(model.dtype)


@engine(
    settings=Settings,
    model=LanguageModel,
    noise=noise,
    environment="vllm",
    packages=("vllm", "torch", "transformers"),
    tokenizer=True,
)
def open_engine(model: LanguageModel, settings: Settings, context: EngineContext) -> VllmEngine:
    return VllmEngine(model, settings, context)
