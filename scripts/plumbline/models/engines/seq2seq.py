"""An encoder-decoder on this machine, such as T5 or BART: it answers in words, tells how likely texts are, and where it
was trained to choose between two answers, scores by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from plumbline.config.engine import Choosing, EngineSettings
from plumbline.models.asking import Completion, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines import classifier
from plumbline.models.engines.classifier import ScoringModel
from plumbline.models.engines.formats import END, FormatReader
from plumbline.models.engines.local import BatchedReading, LocalEngine
from plumbline.models.engines.reading import TokenRequest, choices_of, job_of, scored, written
from plumbline.models.engines.sources import Sources
from plumbline.models.engines.weights import embedded_format
from plumbline.models.kinds import engine
from plumbline.models.noise import of_likelihoods
from plumbline.models.numbers import completed
from plumbline.models.scores import Scoring, is_scoring
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log

if TYPE_CHECKING:
    from plumbline.models.engines.encoder_decoder import EncoderDecoder

TWO = 2
"""So many answers a network may choose between."""


@dataclass(frozen=True)
class Settings(BatchedReading, EngineSettings):
    """Nothing that changes an answer."""

    @property
    def choosing(self) -> Choosing:
        return "log-probability"


@dataclass(frozen=True)
class Seq2SeqModel(ScoringModel):
    """An encoder-decoder."""

    program: Literal["", "score", "prefers", "entails", "bart_score"] = ""
    """The program that asks it, where it was trained for one thing. Empty: it is asked in words, as others are."""
    answers: list[str] = field(default_factory=list)
    """The two answers between which it was trained to choose: by how much the first is likelier is the score."""

    @property
    def programs(self) -> tuple[str, ...]:
        return (self.program,) if self.program else ()


@dataclass(frozen=True)
class SourceJob:
    """A request as the network reads it."""

    asked: TokenRequest
    fits: bool
    cut: bool
    scores: bool = False
    """Whether by how much one answer is likelier is what was asked."""

    @property
    def order(self) -> tuple[Any, ...]:
        """The longest are read first, and answers to one source side by side."""
        return self.asked.kind, len(self.asked.prompt), self.asked.prompt


class LoadedSeq2Seq(NamedTuple):
    """What is in memory once the first answer is needed."""

    network: EncoderDecoder
    sources: Sources
    reader: FormatReader
    longest: int
    """The most tokens of a source, and of an answer."""


class Seq2SeqEngine(LocalEngine[SourceJob, LoadedSeq2Seq]):
    """Requests that wait together are read in batches of like length."""

    def __init__(self, model: Seq2SeqModel, settings: Settings, threads: int, cache: Path) -> None:
        super().__init__(model, settings, threads, cache, {"answers": model.answers, **model.reading})
        self.model = model
        self.format = model.format.with_text(self.weights.folder)
        classifier.check_format(self.format, model.program, f"format of the model {model.label!r}")
        if not model.cut:
            self.count_with(model, self._lengths)
        self._read = self._cut = self._left_out = 0

    def jobs(self, requests: Sequence[Request]) -> list[SourceJob]:
        ready = self.ready()
        return [self._scoring(one, ready) if is_scoring(one) else self._asking(one, ready) for one in requests]

    def _scoring(self, request: Request, ready: LoadedSeq2Seq) -> SourceJob:
        choosing = replace(request, choices=tuple(self.model.answers))
        read = ready.reader.read(Scoring.of(request))
        answers = choices_of(choosing.choices, ready.sources, "")
        job = TokenRequest(choosing, read.ids if read else (), answers)
        return SourceJob(job, read is not None, bool(read and read.cut), scores=True)

    def _asking(self, request: Request, ready: LoadedSeq2Seq) -> SourceJob:
        job = job_of(request, ready.sources)
        longest = max(len(job.prompt), *map(len, job.answers), 0)
        if longest <= ready.longest or self.model.cut != END:
            return SourceJob(job, fits=longest <= ready.longest, cut=False)
        prompt, *answers = (ready.sources.ended(ids, ready.longest) for ids in (job.prompt, *job.answers))
        return SourceJob(replace(job, prompt=prompt, answers=tuple(answers)), fits=True, cut=True)

    def batches(self, jobs: Sequence[SourceJob]) -> list[list[SourceJob]]:
        batches = [[job] for job in jobs if not job.fits]
        kind = None
        for job in sorted((job for job in jobs if job.fits), key=lambda job: job.order, reverse=True):
            if kind == job.asked.kind and len(batches[-1]) < self.batch:
                batches[-1].append(job)
            else:
                batches.append([job])
            kind = job.asked.kind
        return batches

    def read(self, batch: Sequence[SourceJob]) -> list[Completion]:
        self._read += len(batch)
        if not batch[0].fits:
            self._left_out += 1
            return [Completion("", "context", prompt_tokens=len(batch[0].asked.prompt))]
        ready, jobs = self.ready(), [job.asked for job in batch]
        self._cut += sum(job.cut for job in batch)
        answer = written if jobs[0].kind[0] == "free" else scored
        answered = answer(jobs, ready.network, ready.sources)
        return [answer_to(job, completion) for job, completion in zip(batch, answered, strict=True)]

    def unload(self) -> None:
        if self._cut:
            log.warning("%d of %d texts are longer than the network reads, and were cut", self._cut, self._read)
        if self._left_out:
            log.warning("%d of %d texts do not fit, and count as truncated", self._left_out, self._read)
        super().unload()

    def _lengths(self, tokenizer: Any) -> Callable[[Request], int]:
        """Counts the tokens of requests: of the source or of the answer, whichever has more."""
        sources, reader = Sources(tokenizer), FormatReader(tokenizer, self.format, self.model.context)

        def length(request: Request) -> int:
            if is_scoring(request):
                return reader.length(Scoring.of(request))
            job = job_of(request, sources)
            return max(len(job.prompt), *map(len, job.answers), 0)

        return length

    def load(self) -> LoadedSeq2Seq:
        from plumbline.models.engines.encoder_decoder import load

        network, tokenizer = load(self.folder, self.dtype, self.trusted)
        longest = min(self.model.context, network.longest or self.model.context)
        reader = FormatReader(tokenizer, self.format, longest, self.model.cut)
        return LoadedSeq2Seq(network, Sources(tokenizer), reader, longest)


def answer_to(job: SourceJob, answer: Completion) -> Completion:
    if not job.scores:
        return replace(answer, finish="cut") if job.cut else answer
    first, second = answer.logprobs
    return completed(first - second, len(job.asked.prompt), job.cut, answer.logprobs)


def check(model: Seq2SeqModel, where: str) -> None:
    """Refuse a network that is to score without two answers, or a format that nothing fills."""
    has_format = bool(model.format.text or model.format.file)
    scores = bool(model.program) and model.program != "bart_score"
    if scores and (len(model.answers) != TWO or not has_format):
        raise PlumblineError(
            f"an encoder-decoder that the program {model.program!r} asks scores by two answers to its format",
            where=f"{where}.answers and {where}.format.text",
            expected='e.g. answers: ["A", "B"] and format: {text: "… {first} … {second} …"}',
            found=f"{len(model.answers)} answers and {'a' if has_format else 'no'} format",
        )
    if not scores and (model.answers or has_format):
        raise PlumblineError(
            "answers and a format are for networks that score",
            where=f"{where}.{'answers' if model.answers else 'format'}",
            do="name the `program` that asks it: score, prefers or entails",
        )
    classifier.check_reading(model, model.program, where)


def noise(model: Seq2SeqModel) -> float:
    return of_likelihoods(embedded_format(model.dtype))


@engine(
    settings=Settings,
    model=Seq2SeqModel,
    check=check,
    noise=noise,
    answers=("words", "likelihoods", "scores"),
    environment="embedded",
    packages=("torch", "transformers"),
    tokenizer=True,
)
def open_engine(model: Seq2SeqModel, settings: Settings, context: EngineContext) -> Seq2SeqEngine:
    return Seq2SeqEngine(model, settings, context.threads, context.cache)
