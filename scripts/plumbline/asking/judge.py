"""Judging: run every protocol over every instance against one engine, and write down each call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from numpy import logaddexp

from plumbline.asking.ask import Answer, Call, Written
from plumbline.asking.context import context_of
from plumbline.asking.parser import read, read_text
from plumbline.asking.parsing.answers import Readings
from plumbline.asking.prompts import PromptSet
from plumbline.asking.protocols import ProtocolName, ProtocolOptions
from plumbline.config.model import Model
from plumbline.config.parsers import Parser
from plumbline.config.prompts import Template
from plumbline.config.typed import known
from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.recorded import WHAT_IS_RECORDED, RecordedPlace, places_in, read_answer
from plumbline.data.verdicts import NOTHING, SWAPPED, Said, Showing, Verdict, alone, shown
from plumbline.models.asking import Completion, Engine, Message, Place, Request, TokenBias
from plumbline.models.failures import Failures
from plumbline.models.flight import each_in_order
from plumbline.models.similarity import By, Comparison, similarity_in
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True, slots=True)
class Asked:
    """One call, as it is kept in a transcript."""

    place: Place
    request: Request
    completion: Completion


class Done(NamedTuple):
    """A prompt that was answered."""

    template: Template
    request: Request
    completion: Completion

    @property
    def dialogue(self) -> tuple[Message, ...]:
        return (*self.request.messages, Message("assistant", self.completion.text))


@dataclass(frozen=True)
class Judge:
    """A model with the wordings it is asked in and its exceptions to how the authors read its answers."""

    model: Model
    wordings: Mapping[str, PromptSet]

    def wording(self, options: ProtocolOptions) -> PromptSet:
        return self.wordings[options.wording]

    def parser(self, options: ProtocolOptions, template: Template) -> Parser:
        """How answers that are verdicts are read: the wording's parser, or the model's exception."""
        name = self.model.parsers.get(ProtocolName.parse(options.name).base, template.parser)
        wording = self.wording(options)
        known(name, wording.declared.parsers, f"prompts.{wording.name}: parser of {template.file}")
        return wording.declared.parsers[name]

    def bias(self, options: ProtocolOptions, template: Template) -> tuple[TokenBias, ...]:
        """What a template makes likelier or less likely, with the model's own tokens where its file tells them."""
        declared, ids = self.wording(options).declared.biases, self.model.token_ids
        return tuple(
            TokenBias(text, added, tuple(ids.get(text, ())))
            for name in template.bias
            for text, added in sorted(declared[name].items())
        )


@dataclass
class InstanceAsk:
    """`ask` for one instance under one protocol: one run of its program, whose asks all have the same sample number."""

    instance: Instance
    options: ProtocolOptions
    judge: Judge
    engine: Engine
    sample: int = 0
    asked: list[Asked] = field(default_factory=list)
    keys: dict[Place, str] = field(default_factory=dict)
    """The request in each place: a transcript holds one."""

    async def text(self, call: Call, showing: Showing = NOTHING) -> Written:
        done = await self._call(call, showing)
        parsers = self.judge.wording(self.options).declared.parsers
        return Written(read_text(done.completion, parsers.get(done.template.parser)), done.dialogue)

    async def preference(self, call: Call, showing: Showing) -> Answer:
        return await self.answer(BETTER, call, showing)

    async def answer(self, question: str, call: Call, showing: Showing) -> Answer:
        done = await self._call(call, showing)
        place = RecordedPlace(question, showing, self.sample)
        verdict = self._read(done.completion, place, done.template, call.place)
        return Answer(verdict, done.completion.text.strip(), done.dialogue)

    def _read(self, completion: Completion, place: RecordedPlace, template: Template, step: str) -> Verdict:
        """What an answer says, of the outputs as they are stored, with how likely each choice was."""
        question, showing, sample = place
        said = self._said(completion, template, showing)
        logprobs = self._logprobs(completion, template, showing)
        preferred = {"first", "second"} <= logprobs.keys()
        return Verdict(
            instance=self.instance.id,
            protocol=self.options.name,
            question=question,
            showing=showing,
            as_published=said.as_published,
            strict=said.strict,
            why=said.why,
            sample=sample,
            logprobs=logprobs,
            margin=logprobs["first"] - logprobs["second"] if preferred else None,
            gap=self._gap(completion),
            step=step,
        )

    def _logprobs(self, completion: Completion, template: Template, showing: Showing) -> dict[str, float]:
        """Log-probability of each word that the choices mean; choices that mean the same count together."""
        found: dict[str, float] = {}
        if len(completion.logprobs) == len(template.choices):
            for choice, logprob in zip(template.choices, completion.logprobs, strict=True):
                word = str(self._said(Completion(choice), template, showing).strict)
                found[word] = float(logaddexp(found[word], logprob)) if word in found else logprob
        return found

    def _said(self, completion: Completion, template: Template, showing: Showing) -> Readings:
        names = self.judge.wording(self.options).declared.names
        said = read(completion, self.judge.parser(self.options, template), names)
        return said.swapped() if showing == SWAPPED else said

    async def gain(self, output: int) -> Verdict:
        text, showing = self.instance.texts[output], alone(output)
        told, untold = await asyncio.gather(
            self._score("told", showing, (Message("user", self.instance.instruction),), text),
            self._score("untold", showing, (), text),
        )
        given, unprompted = mean_logprob(told), mean_logprob(untold)
        if given is None or unprompted is None:
            return self.verdict("gain", showing, Said(missing="truncated"), step="told")
        return self.verdict("gain", showing, Said(number=given - unprompted), step="told")

    async def similarity(self, by: By, output: int, text: str, part: str = "") -> float | None:
        request = Comparison(by, self.instance.texts[output], text).request
        return similarity_in(await self._answer(f"{by}/{part}" if part else by, alone(output), request))

    async def logprob(self, text: str, part: str = "") -> float | None:
        told = (Message("user", self.instance.instruction),)
        return mean_logprob(await self._score(f"told/{part}" if part else "told", NOTHING, told, text))

    async def recorded(self) -> list[RecordedPlace]:
        return places_in((await self._answer(WHAT_IS_RECORDED, NOTHING, look_up("what is recorded"))).text)

    async def recorded_answer(self, place: RecordedPlace) -> Verdict:
        completion = await self._answer(place.step, place.showing, look_up(str(place), place.sample))
        values = self.judge.model.recorded.values.get("answer", {})
        said = read_answer(completion.text, place, values, f"instance {self.instance.id}")
        about = (self.instance.id, self.options.name, place.question, place.showing)
        return Verdict(*about, said, said, sample=place.sample, step=place.step)

    async def recorded_text(self, place: RecordedPlace, call: Call) -> Verdict:
        completion = await self._answer(place.step, place.showing, look_up(str(place), place.sample))
        return self._read(completion, place, self._template(call), place.step)

    def draw(self, number: int, of: int) -> InstanceAsk:
        return replace(self, sample=self.sample * of + number)

    def verdict(
        self, question: str, showing: Showing, said: Said, strict: Said | None = None, step: str = ""
    ) -> Verdict:
        about = (self.instance.id, self.options.name, question, showing)
        return Verdict(*about, said, strict or said, sample=self.sample, step=step)

    def _gap(self, completion: Completion) -> float | None:
        """None of an answer that was drawn at random, which need not be the likeliest."""
        return None if self.options.protocol.temperature else completion.gap

    def _template(self, call: Call) -> Template:
        return self.judge.wording(self.options).template(call.step, call.variant, self.options.rules)

    async def _call(self, call: Call, showing: Showing) -> Done:
        template = self._template(call)
        asked = self.judge.wording(self.options).render(template, self._values(call, showing))
        request = Request(
            (*call.history, *asked),
            max_tokens=template.max_tokens,
            temperature=self.options.protocol.temperature,
            choices=() if self.options.text else tuple(template.choices),
            sample=self.sample,
            bias=self.judge.bias(self.options, template),
        )
        return Done(template, request, await self._answer(call.place, showing, request))

    def _values(self, call: Call, showing: Showing) -> dict[str, object]:
        """All that a template may show: never who wrote an output, nor what people said of it."""
        texts = [self.instance.texts[output] for output in shown(showing)]
        names = ("first", "second") if len(texts) == 2 else ("output",)
        return {
            "instruction": self.instance.instruction,
            "rules": self.options.rules,
            "reasoning": call.variant == "cot",
            **context_of(self.instance, self.options),
            **dict(zip(names, texts, strict=False)),
            **self._examples(call),
            **call.values,
        }

    def _examples(self, call: Call) -> dict[str, object]:
        """The first rated examples of the wording, as many as are called for."""
        declared = self.judge.wording(self.options).declared.examples
        if len(declared) < call.examples:
            raise PlumblineError(
                f"the protocol {self.options.name!r} shows {call.examples} rated examples",
                where=f"config/prompts/{self.options.wording}.yaml, key examples",
                found=f"{len(declared)} of them",
            )
        return {"examples": declared[: call.examples]} if call.examples else {}

    async def _score(self, step: str, showing: Showing, messages: tuple[Message, ...], text: str) -> Completion:
        return await self._answer(step, showing, Request(messages, scored=text, sample=self.sample))

    async def _answer(self, step: str, showing: Showing, request: Request) -> Completion:
        place = Place(self.instance.id, self.options.name, step, showing, request.sample)
        if self.keys.setdefault(place, request.key) != request.key:
            raise PlumblineError(
                f"the program {self.options.protocol.program!r} asks two things in one place",
                where=f"step {step!r}, showing {showing}, sample {request.sample}",
                do="give each call a `part` of its own, or ask through `draw`",
            )
        completion = await self.engine.answer(request, place)
        self.asked.append(Asked(place, request, completion))
        return completion


def look_up(what: str, sample: int = 0) -> Request:
    """What an engine of records is asked. How the judge itself was asked, a file of records does not say."""
    return Request((Message("record", what),), sample=sample)


def mean_logprob(completion: Completion) -> float | None:
    """Per token; none for a text that could not be scored, e.g. because it did not fit."""
    if not completion.logprobs or not completion.completion_tokens:
        return None
    return completion.logprobs[0] / completion.completion_tokens


class Judged(NamedTuple):
    """What came of one run of a protocol's program over one instance; each sample is a run of its own."""

    instance: Instance
    options: ProtocolOptions
    verdicts: Sequence[Verdict]
    asked: list[Asked]


async def judge_all(
    instances: Iterable[Instance],
    protocols: Sequence[ProtocolOptions],
    judge: Judge,
    engine: Engine,
    window: int,
    keep: Callable[[Sequence[Judged]], None],
    finished: Callable[[int], None] = lambda calls: None,
) -> None:
    """All instances under all protocols, `window` instances in flight; `keep` is given what came of each in order.

    A program runs once a sample, from its first ask on: what it writes for itself is written anew for each.
    """
    failures = Failures()

    async def one(instance: Instance) -> list[Judged]:
        about = [options for options in protocols if not options.subsets or instance.subset in options.subsets]
        runs = ((options, sample) for options in about for sample in range(options.protocol.samples))
        asks = [InstanceAsk(instance, options, judge, engine, sample) for options, sample in runs]
        programs = (ask.options.program.run(instance, ask, ask.options.protocol) for ask in asks)
        ends = await asyncio.gather(*programs, return_exceptions=True)
        finished(sum(len(ask.asked) for ask in asks))
        done = []
        for ask, end in zip(asks, ends, strict=True):
            if isinstance(end, BaseException):
                failures.add(end)
            else:
                done.append(Judged(instance, ask.options, end, ask.asked))
        return done

    try:
        await each_in_order(instances, one, keep, window, failures)
    finally:
        await engine.close()
