"""What a program asks with: calls to one engine about one instance, each written down with its place."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from numpy import logaddexp

from plumbline.asking.answer_text.answers import Readings, why_none
from plumbline.asking.ask import AnsweredText, Call, NetworkScore, VerdictWithText
from plumbline.asking.context import context_of, whole_context
from plumbline.asking.judge import WordedModel
from plumbline.asking.parser import finds_items, read, read_items, read_text
from plumbline.asking.prompts import roles_named
from plumbline.asking.protocols import ProtocolOptions
from plumbline.asking.texts import records, state_of
from plumbline.config.parsers import Parser
from plumbline.config.prompts import Template
from plumbline.config.scale import Scale
from plumbline.data.instances import Instance
from plumbline.data.labels import BETTER
from plumbline.data.recorded import WHAT_IS_RECORDED, RecordedPlace, places_in, read_answer
from plumbline.data.texts import Text
from plumbline.data.vectors import Vector
from plumbline.data.verdicts import NOTHING, SWAPPED, Outcome, Showing, Verdict, alone, shown
from plumbline.models.asking import CallPlace, Completion, Engine, Message, Request
from plumbline.models.calls import FunctionCall, returned_in
from plumbline.models.numbers import number_in
from plumbline.models.scores import FIRST, OUTPUT, SECOND, Scoring
from plumbline.models.similarity import By, Comparison
from plumbline.models.vectors import EMBED, Embedding, vector_in
from plumbline.records.errors import PlumblineError


@dataclass(frozen=True, slots=True)
class Asked:
    """One call, as it is kept in a transcript."""

    place: CallPlace
    request: Request
    completion: Completion


class AnsweredCall(NamedTuple):
    """A prompt that was answered."""

    template: Template
    request: Request
    completion: Completion

    @property
    def dialogue(self) -> tuple[Message, ...]:
        return (*self.request.messages, Message("assistant", self.completion.text))


@dataclass
class InstanceAsk:
    """`ask` for one instance under one name: one run of its program, whose asks all have the same sample number."""

    instance: Instance
    options: ProtocolOptions
    judge: WordedModel
    engine: Engine
    sample: int = 0
    asked: list[Asked] = field(default_factory=list)
    keys: dict[CallPlace, str] = field(default_factory=dict)
    """The request in each place: a transcript holds one."""

    @property
    def questions(self) -> tuple[str, ...]:
        return self.options.questions

    def roles(self, names: Sequence[str]) -> tuple[str, ...]:
        wording = self.judge.wording(self.options)
        return roles_named(names, wording.declared, wording.name)

    async def text(self, call: Call, showing: Showing = NOTHING) -> AnsweredText:
        done = await self._call(call, showing)
        return AnsweredText(read_text(done.completion, self._text_parser(done.template)), done.dialogue)

    async def items(self, call: Call, showing: Showing = NOTHING) -> tuple[str, ...]:
        done = await self._call(call, showing)
        parser = self._text_parser(done.template)
        if not finds_items(parser):
            raise PlumblineError(
                f"{self.options.name!r} takes the items of a list, and its prompt {call.step!r} has no parser of the "
                "kind 'list'",
                where=f"config/prompts/{self.options.wording}.yaml",
            )
        return read_items(done.completion, parser)

    async def preference(self, call: Call, showing: Showing) -> VerdictWithText:
        return await self.answer(BETTER, call, showing)

    async def answer(self, question: str, call: Call, showing: Showing) -> VerdictWithText:
        done = await self._call(call, showing)
        place = RecordedPlace(question, showing, self.sample)
        readings = self._readings(done.completion, done.template, showing)
        verdict = self._verdict(done.completion, readings, place, done.template, call.place)
        return VerdictWithText(verdict, done.completion.text.strip(), done.dialogue, readings.scores)

    def _verdict(
        self, completion: Completion, readings: Readings, place: RecordedPlace, template: Template, step: str
    ) -> Verdict:
        """What an answer says, of the outputs as they are stored, with how likely each choice was."""
        question, showing, sample = place
        logprobs = self._logprobs(completion, template, showing)
        preferred = {"first", "second"} <= logprobs.keys()
        return Verdict(
            instance=self.instance.id,
            protocol=self.options.name,
            question=question,
            showing=showing,
            as_published=readings.as_published,
            strict=readings.strict,
            why=readings.why,
            sample=sample,
            logprobs=logprobs,
            margin=logprobs["first"] - logprobs["second"] if preferred else None,
            gap=self._gap(completion),
            step=step,
        )

    def _logprobs(self, completion: Completion, template: Template, showing: Showing) -> dict[str, float]:
        """Log-probability of each word that the choices mean; choices that mean the same count together."""
        logprobs: dict[str, float] = {}
        if len(completion.logprobs) == len(template.choices):
            for choice, logprob in zip(template.choices, completion.logprobs, strict=True):
                word = str(self._readings(Completion(choice), template, showing).strict)
                logprobs[word] = float(logaddexp(logprobs[word], logprob)) if word in logprobs else logprob
        return logprobs

    def _readings(self, completion: Completion, template: Template, showing: Showing) -> Readings:
        names = self.judge.wording(self.options).declared.names
        readings = read(completion, self.judge.parser(self.options, template), names)
        return readings.swapped() if showing == SWAPPED else readings

    async def gain(self, output: int) -> Verdict:
        text, showing = self.instance.texts[output], alone(output)
        calls = await asyncio.gather(
            self._score("prompted", showing, (Message("user", self.instance.instruction),), text),
            self._score("unprompted", showing, (), text),
        )
        prompted, unprompted = map(mean_logprob, calls)
        if prompted is None or unprompted is None:
            return self.verdict("gain", showing, Outcome(missing="truncated"), step="prompted")
        return self.verdict("gain", showing, Outcome(number=prompted - unprompted), step="prompted")

    async def similarity(self, by: By, output: int, text: str, part: str = "") -> float | None:
        request = Comparison(by, self.instance.texts[output], text).request
        return number_in(await self._answer(f"{by}/{part}" if part else by, alone(output), request))

    async def called(self, showing: Showing) -> Verdict:
        first, second = (self.instance.texts[output] for output in shown(showing))
        request = FunctionCall(self.instance.instruction, first, second, self.sample).request
        said = returned_in(await self._answer("call", showing, request))
        if showing == SWAPPED:
            said = said.swapped()
        return replace(self.verdict(BETTER, showing, said.outcome, step="call"), margin=said.margin)

    async def score(self, showing: Showing, texts: Mapping[str, str], part: str = "") -> NetworkScore:
        outputs = [self.instance.texts[output] for output in shown(showing)]
        named = dict(zip((FIRST, SECOND) if len(outputs) == 2 else (OUTPUT,), outputs, strict=True))
        request = replace(Scoring({**texts, **named}).request, sample=self.sample)
        completion = await self._answer(f"score/{part}" if part else "score", showing, request)
        number = number_in(completion)
        if number is None:
            return NetworkScore(Outcome(missing=why_none(completion)))
        return NetworkScore(Outcome(number=number), math.exp(completion.logprobs[0]) if completion.logprobs else None)

    async def logprob(
        self, text: str, part: str = "", given: str | None = None, showing: Showing = NOTHING
    ) -> float | None:
        messages = (Message("user", self.instance.instruction if given is None else given),)
        return mean_logprob(await self._score(f"prompted/{part}" if part else "prompted", showing, messages, text))

    async def recorded(self) -> list[RecordedPlace]:
        return places_in((await self._answer(WHAT_IS_RECORDED, NOTHING, look_up("what is recorded"))).text)

    async def recorded_answer(self, place: RecordedPlace) -> Verdict:
        completion = await self._answer(place.step, place.showing, look_up(str(place), place.sample))
        values = self.judge.model.answer_meanings
        outcome = read_answer(completion.text, place, values, f"instance {self.instance.id}")
        about = (self.instance.id, self.options.name, place.question, place.showing)
        return Verdict(*about, outcome, outcome, sample=place.sample, step=place.step)

    async def recorded_text(self, place: RecordedPlace, call: Call) -> Verdict:
        completion = await self._answer(place.step, place.showing, look_up(str(place), place.sample))
        template = self._template(call)
        readings = self._readings(completion, template, place.showing)
        return self._verdict(completion, readings, place, template, place.step)

    def texts(self, texts: Sequence[str]) -> list[Text]:
        states = [state_of(call.completion) for call in self.asked]
        return records(self.instance.id, self.options.name, self.sample, texts, states)

    async def vector(self, text: str, prefix: str = "", part: str = "") -> Vector:
        request = Embedding(text, prefix).request
        completion = await self._answer(f"{EMBED}/{part}" if part else EMBED, NOTHING, request)
        return Vector(self.instance.id, self.options.name, vector_in(completion))

    def draw(self, number: int, of: int) -> InstanceAsk:
        return replace(self, sample=self.sample * of + number)

    def verdict(
        self, question: str, showing: Showing, outcome: Outcome, strict: Outcome | None = None, step: str = ""
    ) -> Verdict:
        about = (self.instance.id, self.options.name, question, showing)
        return Verdict(*about, outcome, strict or outcome, sample=self.sample, step=step)

    def _gap(self, completion: Completion) -> float | None:
        """None of an answer that was drawn at random, which need not be the likeliest."""
        return None if self.options.protocol.temperature else completion.gap

    def _template(self, call: Call) -> Template:
        return self.judge.template(self.options, call.step, call.variant)

    def _text_parser(self, template: Template) -> Parser | None:
        return self.judge.wording(self.options).declared.parsers.get(template.parser)

    async def _call(self, call: Call, showing: Showing) -> AnsweredCall:
        template = self._template(call)
        asked = self.judge.wording(self.options).render(template, self._values(call, template, showing))
        request = Request(
            (*call.history, *asked),
            max_tokens=template.max_tokens,
            temperature=self.options.protocol.temperature,
            choices=() if self.options.text or self.options.writes else tuple(template.choices),
            sample=self.sample,
            bias=self.judge.bias(self.options, template),
        )
        return AnsweredCall(template, request, await self._answer(call.place, showing, request))

    def _values(self, call: Call, template: Template, showing: Showing) -> dict[str, object]:
        """All that a template may show: never who wrote an output, nor what people said of it."""
        if self.options.writes:
            return {
                **whole_context(self.instance),
                "rules": False,
                "instruction": self.instance.instruction,
                **call.values,
            }
        texts = [self.instance.texts[output] for output in shown(showing)]
        names = ("first", "second") if len(texts) == 2 else ("output",)
        scale = self.judge.scale(self.options, template)
        return {
            "instruction": self.instance.instruction,
            "rules": self.options.rules,
            "reasoning": call.variant == "cot",
            **context_of(self.instance, self.options),
            **dict(zip(names, texts, strict=False)),
            **(scale.shown if scale else {}),
            **self._examples(call, template, scale),
            **(self.judge.wording(self.options).role(call.role) if call.role else {}),
            **call.values,
        }

    def _examples(self, call: Call, template: Template, scale: Scale | None) -> dict[str, object]:
        """The first rated examples of the wording, as many as are called for, on the scale in use."""
        if call.examples and not shows_examples(template):
            raise PlumblineError(
                f"the protocol {self.options.name!r} shows {call.examples} rated examples, and its prompt has no place "
                "for any",
                where=f"config/prompts/{self.options.wording}.yaml: {template.file}",
                do="ask in another wording, or with `shots: 0`",
            )
        wording = self.judge.wording(self.options).declared
        declared, own = wording.examples, wording.scale
        if len(declared) < call.examples:
            raise PlumblineError(
                f"the protocol {self.options.name!r} shows {call.examples} rated examples",
                where=f"config/prompts/{self.options.wording}.yaml, key examples",
                found=f"{len(declared)} of them",
            )
        shown = declared[: call.examples]
        if own and scale:
            shown = [replace(one, rating=own.moved(one.rating, scale)) for one in shown]
        return {"examples": shown} if shown else {}

    async def _score(self, step: str, showing: Showing, messages: tuple[Message, ...], text: str) -> Completion:
        return await self._answer(step, showing, Request(messages, scored=text, sample=self.sample))

    async def _answer(self, step: str, showing: Showing, request: Request) -> Completion:
        place = CallPlace(self.instance.id, self.options.name, step, showing, request.sample)
        if self.keys.setdefault(place, request.key) != request.key:
            raise PlumblineError(
                f"the program {self.options.protocol.program!r} asks two things in one place",
                where=f"step {step!r}, showing {showing}, sample {request.sample}",
                do="give each call a `part` of its own, or ask through `draw`",
            )
        completion = await self.engine.answer(request, place)
        self.asked.append(Asked(place, request, completion))
        return completion


def shows_examples(template: Template) -> bool:
    """Whether rated examples may stand in a template; a Jinja template decides itself."""
    return template.file.endswith(".jinja") or (template.repeated is not None and template.repeated.each == "examples")


def look_up(what: str, sample: int = 0) -> Request:
    """What an engine of records is asked. How the judge itself was asked, a file of records does not say."""
    return Request((Message("record", what),), sample=sample)


def mean_logprob(completion: Completion) -> float | None:
    """Per token; none for a text that could not be scored, e.g. because it did not fit."""
    if not completion.logprobs or not completion.completion_tokens:
        return None
    return completion.logprobs[0] / completion.completion_tokens
