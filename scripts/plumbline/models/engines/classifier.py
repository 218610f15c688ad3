"""A network with a head on this machine: a reward model, a classifier or a metric that was trained; it gives scores and
answers nothing in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from plumbline.config.engine import EngineSettings
from plumbline.config.typed import Positive
from plumbline.models.asking import Completion, Request
from plumbline.models.context import EngineContext
from plumbline.models.engines.formats import END, Format, FormatReader, Input
from plumbline.models.engines.local import BatchedReading, LocalEngine
from plumbline.models.engines.weights import TextModel, embedded_format
from plumbline.models.kinds import engine
from plumbline.models.noise import of_scores
from plumbline.models.numbers import completed
from plumbline.models.scores import Scoring
from plumbline.records.errors import PlumblineError
from plumbline.records.joblog import log

if TYPE_CHECKING:
    from plumbline.models.engines.heads import ScoringNetwork

SHORT, LONG = "A short answer.", "A longer answer, beside which the short one is filled up to the same length."
"""With these it is found out whether a network reads a text otherwise when it stands beside a longer one."""
ALIKE = {"float32": 1e-3, "float16": 0.05, "bfloat16": 0.2}
"""So far apart, as a share of the larger, may two scores of one text be."""


@dataclass(frozen=True)
class Settings(BatchedReading, EngineSettings):
    """Nothing that changes an answer."""


@dataclass(frozen=True)
class ScoringModel(TextModel):
    """A network that reads texts in a format of its own."""

    context: Positive = 2048
    """The most tokens of an input, as far as it was built for so many."""
    format: Format = field(default_factory=Format)
    """How it reads what it scores."""
    cut: str = ""
    """What is left out of an input that is longer. Empty: nothing, and its verdict is `truncated`; `end`: its end; or
    the name of a text, e.g. instruction, that is shortened by whole sentences from its end."""

    @property
    def context_limit(self) -> int | None:  # type: ignore[override]
        return None if self.cut else self.context

    @property
    def reading(self) -> dict[str, Any]:
        """What of its file decides what it reads: part of its identity."""
        return {"format": vars(self.format), "cut": self.cut, **({"context": self.context} if self.cut else {})}


@dataclass(frozen=True)
class ClassifierModel(ScoringModel):
    """A network with a head for classification, regression or rewards."""

    program: Literal["score", "prefers", "entails", "bleurt"] = "score"
    """The program that asks it: what its head says something about. One output; which of two is better; whether an
    output follows from a text; how good a paraphrase of a reference an output is."""
    scored_label: str = ""
    """Of a head with several labels the one whose log-odds are the score, by its name or number."""
    pad_token: str = ""
    """The token that fills texts up to the length of others, where the model's own files name none."""
    padding: Literal["right", "left", "none"] = "right"
    """Where texts are filled up; `none`: only texts of one length are read together."""
    backbone: str = ""
    """Of AlpacaFarm's reward models a folder with the configuration of the LLaMA that they were made of."""

    @property
    def programs(self) -> tuple[str, ...]:
        return (self.program,)


@dataclass(frozen=True)
class ScoreJob:
    """A request as the network reads it; nothing where it does not fit."""

    input: Input | None


@dataclass(frozen=True)
class LoadedClassifier:
    """What is in memory once the first score is needed."""

    network: ScoringNetwork
    reader: FormatReader
    label: int | None


class ClassifierEngine(LocalEngine[ScoreJob, LoadedClassifier]):
    """Scores texts in batches of like length."""

    def __init__(self, model: ClassifierModel, settings: Settings, threads: int, cache: Path) -> None:
        own = {"scored_label": model.scored_label, "pad_token": model.pad_token, **model.reading}
        super().__init__(model, settings, threads, cache, own)
        self.model = model
        self.format = model.format.with_text(self.weights.folder)
        check_format(self.format, model.program, f"format of the model {model.label!r}")
        if not model.cut:
            self.count_with(model, self._lengths)
        self._read = self._cut = self._left_out = 0

    def jobs(self, requests: Sequence[Request]) -> list[ScoreJob]:
        reader = self.ready().reader
        return [ScoreJob(reader.read(Scoring.of(request))) for request in requests]

    def batches(self, jobs: Sequence[ScoreJob]) -> list[list[ScoreJob]]:
        """The longest first; without padding, only what is of one length stands together."""
        batches: list[list[ScoreJob]] = [[job] for job in jobs if job.input is None]
        length = 0
        for job in sorted((job for job in jobs if job.input), key=_length, reverse=True):
            fits = self.model.padding != "none" or _length(job) == length
            if length and fits and len(batches[-1]) < self.batch:
                batches[-1].append(job)
            else:
                batches.append([job])
            length = _length(job)
        return batches

    def read(self, batch: Sequence[ScoreJob]) -> list[Completion]:
        ready, inputs = self.ready(), [job.input for job in batch if job.input]
        self._read += len(batch)
        self._left_out += len(batch) - len(inputs)
        self._cut += sum(each.cut for each in inputs)
        if not inputs:
            return [Completion("", "context") for _ in batch]
        rows = ready.network.logits(inputs)
        return [score_of(row, ready.label, each) for row, each in zip(rows, inputs, strict=True)]

    def unload(self) -> None:
        if self._cut:
            log.warning("%d of %d inputs are longer than the network reads, and were cut", self._cut, self._read)
        if self._left_out:
            log.warning("%d of %d inputs do not fit, and count as truncated", self._left_out, self._read)
        super().unload()

    def _lengths(self, tokenizer: Any) -> Any:
        """Counts the tokens of requests."""
        reader = FormatReader(tokenizer, self.format, self.model.context)
        return lambda request: reader.length(Scoring.of(request))

    def load(self) -> LoadedClassifier:
        from plumbline.models.engines.heads import load

        network = load(self.folder, self.model, self.dtype)
        longest = min(self.model.context, network.longest)
        reader = FormatReader(network.tokenizer, self.format, longest, self.model.cut)
        values = check_padding(network, ALIKE[self.dtype], self.model.padding != "none")
        return LoadedClassifier(network, reader, label_in(network.labels, self.model.scored_label, values))


def _length(job: ScoreJob) -> int:
    return len(job.input.ids) if job.input else 0


def label_in(labels: Sequence[str], scored: str, values: int) -> int | None:
    """Which of so many values of the head the score is about; nothing where there is one alone, whatever labels the
    configuration names (ArmoRM names 19, which its own code makes one score of)."""
    if values == 1:
        if scored:
            raise PlumblineError(
                "the model's head gives one score, of which no label can be taken",
                where="scored_label in the model's file",
                found=scored,
                do="leave it away",
            )
        return None
    labels = labels if len(labels) == values else list(map(str, range(values)))
    if scored in labels:
        return labels.index(scored)
    if scored.isdecimal() and int(scored) < values:
        return int(scored)
    raise PlumblineError(
        f"the model's head has {values} labels, and "
        + (f"none is called {scored!r}" if scored else "its file does not say which of them is the better one"),
        where="scored_label in the model's file",
        expected=", ".join(f"{name!r} or {number}" for number, name in enumerate(labels[:9])),
    )


def score_of(row: Sequence[float], label: int | None, read: Input) -> Completion:
    """The head's only value; of several, the log-odds of the label that is scored, with its log-probability."""
    if label is None:
        return completed(row[0], len(read.ids), read.cut)
    others = [value for number, value in enumerate(row) if number != label]
    best = max(others)
    odds = row[label] - (best + math.log(math.fsum(math.exp(value - best) for value in others)))
    return completed(odds, len(read.ids), read.cut, (log_sigmoid(odds), log_sigmoid(-odds)))


def log_sigmoid(value: float) -> float:
    return min(value, 0.0) - math.log1p(math.exp(-abs(value)))


def check_padding(network: ScoringNetwork, alike: float, padded: bool) -> int:
    """Refuse a network whose score of a text hangs on what is read beside it; how many values its head gives."""
    read = (tuple(network.tokenizer(text)["input_ids"][: network.longest]) for text in (SHORT, LONG))
    short, long = (Input(ids, (0,) * len(ids)) for ids in read)
    (alone,) = network.logits([short])
    if not padded:
        return len(alone)
    beside, _ = network.logits([short, long])
    if any(abs(one - other) > alike * max(1.0, abs(one)) for one, other in zip(alone, beside, strict=True)):
        raise PlumblineError(
            "the network scores a text otherwise when it is filled up beside a longer one",
            where="padding in the model's file",
            found=f"{alone[0]:.5g} alone, {beside[0]:.5g} with {'left' if network.left else 'right'} padding",
            do=f"set `padding: {'right' if network.left else 'left'}`, or `padding: none`, which reads only texts of "
            "one length together",
        )
    return len(alone)


SHOWN: dict[str, tuple[str, ...]] = {
    "score": ("output",),
    "prefers": ("first", "second"),
    "entails": ("premise", "output"),
    "bleurt": ("reference", "output"),
}
"""What the format of a network must show, by the program that asks it; a chat template shows one output alone."""


def check_format(shown: Format, program: str, where: str) -> None:
    """Refuse a format without what is to be scored: all scores would be the same."""
    wanted = SHOWN.get(program, ())
    missing = [name for name in wanted if name not in shown.slots]
    if missing and (shown.text or program != "score"):
        raise PlumblineError(
            f"the program {program!r} is about what the format does not show: {', '.join(missing)}",
            where=where,
            expected=f"a format with {' and '.join(f'{{{name}}}' for name in wanted)}",
            found=shown.text + shown.segment or "none",
        )


def check_reading(model: ScoringModel, program: str, where: str) -> None:
    """Refuse a format that lacks what is scored, and a text to be shortened that it does not show."""
    if not model.format.file:
        check_format(model.format, program, f"{where}.format")
    if not model.format.file and model.cut not in ("", END, *model.format.slots):
        raise PlumblineError(
            f"the format does not show {{{model.cut}}}, which is to be shortened",
            where=f"{where}.cut",
            expected=" or ".join(dict.fromkeys([END, *model.format.slots])),
        )


def check(model: ClassifierModel, where: str) -> None:
    check_reading(model, model.program, where)


def noise(model: ScoringModel) -> float:
    return of_scores(embedded_format(model.dtype))


@engine(
    settings=Settings,
    model=ClassifierModel,
    check=check,
    noise=noise,
    answers=("scores",),
    environment="embedded",
    packages=("torch", "transformers"),
)
def open_engine(model: ClassifierModel, settings: Settings, context: EngineContext) -> ClassifierEngine:
    return ClassifierEngine(model, settings, context.threads, context.cache)
