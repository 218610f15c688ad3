"""Judging: run every protocol over every instance against one engine, and write down each call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from plumbline.config import schema
from plumbline.config.parsers import Parser
from plumbline.config.typed import known
from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.recorded import WHAT_IS_RECORDED, RecordedPlace, places_in, read_answer
from plumbline.data.verdicts import NOTHING, SWAPPED, Said, Showing, Verdict, alone, shown
from plumbline.judging.parsing.answers import Readings
from plumbline.judging.parsing.reading import read, read_text
from plumbline.judging.prompts import PromptSet
from plumbline.judging.protocols import PROGRAMS, Answer, ProtocolName, ProtocolOptions
from plumbline.models.asking import Completion, Engine, Message, Place, Request
from plumbline.models.failures import Failures
from plumbline.models.flight import each_in_order

READ_AS = {BETTER: "compare", "rating": "rate"}
"""The step as whose answers recorded completions to a question are read; those to any other are read as `answer`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One call, as it is kept in a transcript."""

    place: Place
    request: Request
    completion: Completion


@dataclass(frozen=True)
class Judge:
    """A model with the wordings it is asked in and its exceptions to how the authors read its answers."""

    model: schema.Model
    wordings: Mapping[str, PromptSet]

    def wording(self, options: ProtocolOptions) -> PromptSet:
        return self.wordings[options.wording]

    def parser(self, options: ProtocolOptions, template: schema.Template) -> Parser:
        """How answers that are verdicts are read: the wording's parser, or the model's exception."""
        name = self.model.parsers.get(ProtocolName.parse(options.name).base, template.parser)
        wording = self.wording(options)
        known(name, wording.declared.parsers, f"prompts.{wording.name}: parser of {template.file}")
        return wording.declared.parsers[name]


@dataclass
class InstanceAsk:
    """`ask` for one instance under one protocol: one run of its program, whose asks all have the same sample number."""

    instance: Instance
    options: ProtocolOptions
    judge: Judge
    engine: Engine
    sample: int = 0
    asked: list[Asked] = field(default_factory=list)

    async def text(self, step: str) -> str:
        completion = await self._call(step, "", NOTHING)
        parsers = self.judge.wording(self.options).declared.parsers
        return read_text(completion, parsers.get(self._template(step, "").parser))

    async def preference(self, step: str, variant: str, showing: Showing, **values: str) -> Answer:
        first, second = (self.instance.texts[output] for output in shown(showing))
        options = {"reasoning": variant == "cot"}
        completion = await self._call(step, variant, showing, first=first, second=second, **options, **values)
        place = RecordedPlace(BETTER, showing, self.sample)
        return Answer(self._read(completion, place, self._template(step, variant), step), completion.text.strip())

    async def answer(self, question: str, step: str, variant: str, output: int, **values: str) -> Verdict:
        showing = alone(output)
        completion = await self._call(step, variant, showing, output=self.instance.texts[output], **values)
        return self._read(
            completion, RecordedPlace(question, showing, self.sample), self._template(step, variant), step
        )

    def _read(self, completion: Completion, place: RecordedPlace, template: schema.Template, step: str) -> Verdict:
        """What an answer says, of the outputs as they are stored, with how likely each choice was."""
        question, showing, sample = place
        said = self._said(completion, template, showing)
        logprobs: dict[str, float] = {}
        if len(completion.logprobs) == len(template.choices):
            choices = [str(self._said(Completion(choice), template, showing).strict) for choice in template.choices]
            logprobs = dict(zip(choices, completion.logprobs, strict=True))
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

    def _said(self, completion: Completion, template: schema.Template, showing: Showing) -> Readings:
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
            return self._scored("gain", output, Said(missing="truncated"), step="told")
        return self._scored("gain", output, Said(number=given - unprompted), step="told")

    async def recorded(self) -> list[RecordedPlace]:
        return places_in((await self._answer(WHAT_IS_RECORDED, NOTHING, look_up("what is recorded"))).text)

    async def recorded_answer(self, place: RecordedPlace) -> Verdict:
        completion = await self._answer(place.step, place.showing, look_up(str(place), place.sample))
        values = self.judge.model.recorded.values.get("answer", {})
        said = read_answer(completion.text, place, values, f"instance {self.instance.id}")
        about = (self.instance.id, self.options.name, place.question, place.showing)
        return Verdict(*about, said, said, sample=place.sample, step=place.step)

    async def recorded_text(self, place: RecordedPlace, variant: str) -> Verdict:
        completion = await self._answer(place.step, place.showing, look_up(str(place), place.sample))
        variant = variant if place.question == BETTER else ""
        template = self._template(READ_AS.get(place.question, "answer"), variant)
        return self._read(completion, place, template, place.step)

    def number(self, question: str, output: int, value: float) -> Verdict:
        return self._scored(question, output, Said(number=value))

    def _scored(self, question: str, output: int, said: Said, step: str = "") -> Verdict:
        """What a rule says of one output alone: it has one reading only."""
        about = (self.instance.id, self.options.name, question, alone(output))
        return Verdict(*about, said, said, sample=self.sample, step=step)

    def _gap(self, completion: Completion) -> float | None:
        """None of an answer that was drawn at random, which need not be the likeliest."""
        return None if self.options.protocol.temperature else completion.gap

    def _template(self, step: str, variant: str) -> schema.Template:
        return self.judge.wording(self.options).template(step, variant, self.options.rules)

    async def _call(self, step: str, variant: str, showing: Showing, **values: str | bool) -> Completion:
        wording, template = self.judge.wording(self.options), self._template(step, variant)
        known = {"instruction": self.instance.instruction, "rules": self.options.rules, **values}
        messages = wording.render(template, known)
        request = Request(
            messages,
            max_tokens=template.max_tokens,
            temperature=self.options.protocol.temperature,
            choices=tuple(template.choices),
            sample=self.sample,
        )
        return await self._answer(step, showing, request)

    async def _score(self, step: str, showing: Showing, messages: tuple[Message, ...], text: str) -> Completion:
        return await self._answer(step, showing, Request(messages, scored=text, sample=self.sample))

    async def _answer(self, step: str, showing: Showing, request: Request) -> Completion:
        place = Place(self.instance.id, self.options.name, step, showing, request.sample)
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
        runs = ((options, sample) for options in protocols for sample in range(options.protocol.samples))
        asks = [InstanceAsk(instance, options, judge, engine, sample) for options, sample in runs]
        programs = (PROGRAMS[ask.options.protocol.program](instance, ask, ask.options) for ask in asks)
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
